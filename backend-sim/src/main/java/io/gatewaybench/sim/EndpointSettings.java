package io.gatewaybench.sim;

import org.jspecify.annotations.Nullable;

/**
 * What a profile says about one endpoint.
 *
 * @param latency distribution of the latency
 * @param payload how the body is made
 * @param seed start of the random sequences of delays and prepared bodies
 * @param fault what goes wrong now and then, {@code null} if nothing does
 */
record EndpointSettings(LatencyDistribution latency, PayloadMode payload, long seed, @Nullable Fault fault) {

	EndpointSettings withLatency(LatencyDistribution latency) {
		return new EndpointSettings(latency, this.payload, this.seed, this.fault);
	}

}
