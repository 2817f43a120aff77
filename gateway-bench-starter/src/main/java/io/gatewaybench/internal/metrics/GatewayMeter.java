package io.gatewaybench.internal.metrics;

import java.util.List;

import io.gatewaybench.internal.Outcome;
import io.gatewaybench.metrics.UpstreamEvent;

/**
 * The meters that the gateway registers with Micrometer, each with all of its tags.
 *
 * <p>
 * {@code outcome} is an {@link Outcome} except for rewrites, {@code flavour} is
 * {@code WebFlux} or {@code WebMVC}.
 */
enum GatewayMeter {

	/**
	 * Timer of whole requests, from their arrival to the end of the response body;
	 * {@code status} is the code, or {@code none} when no response was committed.
	 */
	REQUESTS("gateway.bench.requests", "Time from the arrival of a request to the end of the response body", "route",
			"flavour", "outcome", "status"),

	/**
	 * Counter of attempts on the instances of the upstreams.
	 */
	UPSTREAM_REQUESTS("gateway.bench.upstream.requests", "Attempts on an instance of an upstream", "upstream",
			"instance", "outcome", "flavour"),

	/**
	 * Counter of requests that failed on another instance and were sent to this one.
	 */
	UPSTREAM_RETRIES("gateway.bench.upstream.retries", "Requests that failed elsewhere and were sent to an instance",
			"upstream", "instance", "flavour"),

	/**
	 * Counter of instances that were taken out of the rotation.
	 */
	UPSTREAM_EJECTIONS("gateway.bench.upstream.ejections", "Ejections of an instance", "upstream", "instance",
			"flavour"),

	/**
	 * Counter of instances that came back into the rotation.
	 */
	UPSTREAM_RECOVERIES("gateway.bench.upstream.recoveries", "Recoveries of an instance", "upstream", "instance",
			"flavour"),

	/**
	 * Counter of response bodies that the rewriter has dealt with; {@code outcome} tells
	 * what became of them.
	 */
	REWRITES("gateway.bench.rewrites", "Response bodies by what the rewriter did with them", "outcome", "flavour");

	private final String meterName;

	private final String description;

	private final List<String> tagKeys;

	GatewayMeter(String meterName, String description, String... tagKeys) {
		this.meterName = meterName;
		this.description = description;
		this.tagKeys = List.of(tagKeys);
	}

	static GatewayMeter of(UpstreamEvent event) {
		return switch (event) {
			case RETRY -> UPSTREAM_RETRIES;
			case EJECTION -> UPSTREAM_EJECTIONS;
			case RECOVERY -> UPSTREAM_RECOVERIES;
		};
	}

	String meterName() {
		return this.meterName;
	}

	String description() {
		return this.description;
	}

	List<String> tagKeys() {
		return this.tagKeys;
	}

}
