package io.gatewaybench.internal.metrics;

import io.gatewaybench.metrics.AttemptObservationContext;
import io.gatewaybench.metrics.ExchangeObservationContext;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The observation of one exchange, and of the attempt that is under way. Any thread may
 * report. What is reported after the end changes nothing.
 */
public final class ExchangeObservation {

	/**
	 * Of an exchange that is not observed.
	 */
	public static final ExchangeObservation NONE = new ExchangeObservation(GatewayObservations.OFF,
			new ExchangeObservationContext("none"), Observation.NOOP, null);

	private final GatewayObservations observations;

	private final ExchangeObservationContext context;

	private final Observation exchange;

	private @Nullable Attempt attempt;

	private boolean ended;

	ExchangeObservation(GatewayObservations observations, ExchangeObservationContext context, Observation exchange,
			Observation.@Nullable ContextView server) {
		this.observations = observations;
		this.context = context;
		this.exchange = exchange;
		if (server != null) {
			context.setParentObservation(() -> server);
		}
	}

	void start() {
		this.observations.safely(this.exchange::start);
	}

	/**
	 * The exchange goes on with another route.
	 * @param route id of the route, {@code null} if it has none
	 */
	public void route(@Nullable String route) {
		if (this != NONE) {
			this.context.route(this.observations.route(route));
		}
	}

	/**
	 * An attempt begins. One that is under way ends.
	 * @param upstream name of the upstream, {@code null} if there is none
	 * @param instance host and port of the instance
	 * @param headers headers of the request, which get what makes a trace go on
	 */
	public void attempt(@Nullable String upstream, String instance, HttpHeaders headers) {
		if (this == NONE) {
			return;
		}
		synchronized (this) {
			attemptEnded();
			if (!this.ended) {
				this.observations.safely(() -> {
					AttemptObservationContext next = new AttemptObservationContext(this.context.getRoute(),
							(upstream != null) ? upstream : "none", this.observations.instance(instance), headers);
					this.attempt = start(next);
				});
			}
		}
	}

	/**
	 * The parent is the exchange, also for a tracer, to which the thread counts more than
	 * the observation.
	 */
	private Attempt start(AttemptObservationContext next) {
		return this.exchange.scoped(() -> {
			Observation observation = this.observations.attempt(next);
			if (this.exchange.isNoop()) {
				next.setParentObservation(this.context.getParentObservation());
			}
			return new Attempt(next, observation.start());
		});
	}

	/**
	 * The response to the attempt has begun.
	 * @param status its status
	 */
	public void responded(int status) {
		if (this == NONE) {
			return;
		}
		synchronized (this) {
			if (this.attempt != null) {
				this.attempt.context.responded(status);
			}
		}
	}

	/**
	 * The attempt has failed, with or without a response.
	 * @param failure what is wrong, one of few names
	 * @param error the same as an exception
	 */
	public void attemptFailed(String failure, Throwable error) {
		if (this == NONE) {
			return;
		}
		synchronized (this) {
			Attempt current = this.attempt;
			if (current != null) {
				current.context.failed(failure);
				this.observations.safely(() -> current.observation.error(error));
				attemptEnded();
			}
		}
	}

	/**
	 * The attempt is over, and so is the body of its response.
	 */
	public void attemptEnded() {
		if (this == NONE) {
			return;
		}
		synchronized (this) {
			Attempt current = this.attempt;
			this.attempt = null;
			if (current != null) {
				this.observations.safely(current.observation::stop);
			}
		}
	}

	/**
	 * The exchange is over. So is its attempt.
	 * @param status status that the client was told, 0 if none
	 * @param completed whether the client got the whole response
	 */
	public void end(int status, boolean completed) {
		if (this == NONE) {
			return;
		}
		synchronized (this) {
			attemptEnded();
			if (!this.ended) {
				this.ended = true;
				this.context.end(status, completed);
				this.observations.safely(this.exchange::stop);
			}
		}
	}

	/**
	 * An attempt.
	 *
	 * @param context what is known of it
	 * @param observation its observation
	 */
	private record Attempt(AttemptObservationContext context, Observation observation) {

	}

}
