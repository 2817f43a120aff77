package io.gatewaybench.sim;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * What an instance does about a request once it is complete.
 */
sealed interface Answer {

	/**
	 * Serves an endpoint.
	 *
	 * @param endpoint the endpoint
	 * @param delays draws the delay of the next request
	 * @param content makes the body
	 * @param head head of a successful response
	 * @param faults tells which requests something goes wrong with
	 */
	record Service(Endpoint endpoint, Delays delays, Content content, ResponseHead head,
			Fault.Counter faults) implements Answer {

		static Service of(String instance, Endpoint endpoint, EndpointSettings settings, Content content) {
			SeededRandom random = SeededRandom.of(settings.seed(), instance + endpoint.path());
			return new Service(endpoint, new Delays(settings.latency(), random, 1), content,
					ResponseHead.of(endpoint.status(), instance, endpoint.contentType()),
					Fault.Counter.of(settings.fault()));
		}

		Service with(Fault fault) {
			return new Service(this.endpoint, this.delays, this.content, this.head, Fault.Counter.of(fault));
		}

		/**
		 * Whether it refuses requests before their bodies have come.
		 */
		boolean isEarly() {
			Fault fault = this.faults.fault();
			return fault != null && fault.effect() == Fault.Breach.EARLY;
		}

		Service slowedDown(int factor) {
			return new Service(this.endpoint, this.delays.times(factor), this.content, this.head, this.faults);
		}

	}

	/**
	 * Refuses the request, without delay.
	 *
	 * @param status status of the response
	 * @param detail what is wrong and what would be right
	 * @param fields further complete field lines
	 */
	record Refusal(HttpResponseStatus status, String detail, String... fields) implements Answer {

		static Refusal notAllowed(String path, String allow) {
			return new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, path + " takes only " + allow, "Allow: " + allow);
		}

	}

	/**
	 * Reports the statistics.
	 */
	record Report() implements Answer {
	}

	/**
	 * Reports the statistics, after which counting and the delays start again.
	 *
	 * @param seed what is added to the seed of the delays
	 */
	record Reset(long seed) implements Answer {
	}

	/**
	 * Begins an outage.
	 *
	 * @param outage what will be wrong
	 */
	record Failure(Outage outage) implements Answer {
	}

}
