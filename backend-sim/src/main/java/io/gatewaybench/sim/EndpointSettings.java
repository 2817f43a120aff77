package io.gatewaybench.sim;

/**
 * What a profile says about one endpoint.
 *
 * @param latency distribution of the latency
 * @param payload how the body is made
 * @param seed start of the random sequences of delays and prepared bodies
 */
record EndpointSettings(LatencyDistribution latency, PayloadMode payload, long seed) {

	EndpointSettings withLatency(LatencyDistribution latency) {
		return new EndpointSettings(latency, this.payload, this.seed);
	}

}
