package io.gatewaybench.benchmark.run;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What all instances of all backends together did since their start.
 *
 * @param endpoints number and total latency of the requests, by path
 */
record BackendStats(Map<String, Tally> endpoints) {

	/**
	 * Requests of one endpoint.
	 *
	 * @param count their number
	 * @param totalMs the sum of their latencies
	 */
	record Tally(long count, double totalMs) {

		Tally plus(Tally other) {
			return new Tally(this.count + other.count, this.totalMs + other.totalMs);
		}

		Tally minus(Tally other) {
			return new Tally(this.count - other.count, this.totalMs - other.totalMs);
		}

	}

	static final BackendStats NONE = new BackendStats(Map.of());

	BackendStats {
		endpoints = Map.copyOf(endpoints);
	}

	BackendStats plus(BackendStats other) {
		Map<String, Tally> sum = new HashMap<>(this.endpoints);
		other.endpoints.forEach((path, tally) -> sum.merge(path, tally, Tally::plus));
		return new BackendStats(sum);
	}

	BackendStats since(BackendStats earlier) {
		Map<String, Tally> difference = new HashMap<>();
		this.endpoints.forEach((path, tally) -> difference.put(path,
				tally.minus(earlier.endpoints.getOrDefault(path, new Tally(0, 0)))));
		return new BackendStats(difference);
	}

	/**
	 * Mean latency of an endpoint.
	 * @param path its path on the backend
	 * @return milliseconds, {@code null} if it had no request
	 */
	@Nullable Double meanMs(String path) {
		Tally tally = this.endpoints.get(path);
		return (tally != null && tally.count() > 0) ? tally.totalMs() / tally.count() : null;
	}

}
