package io.gatewaybench.sim;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Latency, payload and seed of every endpoint, with exceptions for single instances.
 */
interface Profile {

	/** Longest latency that can be asked for, in milliseconds. */
	int MAX_MILLIS = 60_000;

	/** Seed of the endpoints whose profile has none. */
	long DEFAULT_SEED = 1;

	/**
	 * Returns the profile that reproduces the published latencies. Known of the six
	 * gateway scenarios (P1): {@code data} mean 21.14 ms in 15.77 to 30.85 ms;
	 * {@code hello}, {@code process} and {@code upload} about 20 ms; {@code heavy} mean
	 * 69.39 ms in 22.40 to 316.07 ms with 3 of 20 samples above 250 ms (265, 278, 316).
	 * The points between are chosen so that the means come out. {@code registrations}
	 * takes the 200 ms of P4; {@code user} takes no time but what {@code ?delay=} asks
	 * for, as in P5. A stream begins at once.
	 */
	static Profile defaults() {
		LatencyDistribution base = new LatencyDistribution.Normal(20, 1.5, 15);
		Map<Endpoint, EndpointSettings> endpoints = new EnumMap<>(Endpoint.class);
		endpoints.put(Endpoint.HELLO, prepared(base));
		endpoints.put(Endpoint.PROCESS, prepared(base));
		endpoints.put(Endpoint.DATA, prepared(LatencyDistribution.Quantiles
			.of(new double[][] { { 0, 15.77 }, { 0.1, 18.5 }, { 0.5, 20.7 }, { 0.9, 23.6 }, { 1, 30.85 } })));
		endpoints.put(Endpoint.HEAVY, prepared(LatencyDistribution.Quantiles.of(new double[][] { { 0, 22.40 },
				{ 0.5, 30 }, { 0.849, 47.4 }, { 0.85, 265 }, { 0.925, 278 }, { 1, 316.07 } })));
		endpoints.put(Endpoint.USER, prepared(new LatencyDistribution.Fixed(0)));
		endpoints.put(Endpoint.REGISTRATIONS, prepared(new LatencyDistribution.Fixed(200)));
		endpoints.put(Endpoint.UPLOAD, prepared(base));
		endpoints.put(Endpoint.EVENTS, prepared(new LatencyDistribution.Fixed(0)));
		endpoints.put(Endpoint.LINES, prepared(new LatencyDistribution.Fixed(0)));
		endpoints.put(Endpoint.SOCKET, prepared(new LatencyDistribution.Fixed(0)));
		return (instance, endpoint) -> Objects.requireNonNull(endpoints.get(endpoint));
	}

	private static EndpointSettings prepared(LatencyDistribution latency) {
		return new EndpointSettings(latency, PayloadMode.PREPARED, DEFAULT_SEED, null);
	}

	/**
	 * Returns the settings of an endpoint of an instance.
	 * @param instance name of the instance, known to the profile or not
	 * @param endpoint the endpoint
	 */
	EndpointSettings settings(String instance, Endpoint endpoint);

	/**
	 * Refuses a setting unless a condition holds.
	 * @param holds the condition
	 * @param key the setting, such as {@code max} or {@code points/1/0}
	 * @param expected what would fit
	 */
	static void check(boolean holds, String key, String expected) {
		if (!holds) {
			throw new IllegalArgumentException(key + ": " + expected);
		}
	}

	/**
	 * Returns this profile with every latency replaced by zero.
	 */
	default Profile withoutDelay() {
		return (instance, endpoint) -> settings(instance, endpoint).withLatency(new LatencyDistribution.Fixed(0));
	}

}
