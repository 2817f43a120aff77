package io.gatewaybench.sim;

import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of one instance since its start or the last reset.
 */
final class BackendStats {

	private final Instant since = Instant.now();

	private final Map<Endpoint, EndpointStats> endpoints = new EnumMap<>(Endpoint.class);

	private final LongAdder refused = new LongAdder();

	BackendStats() {
		for (Endpoint endpoint : Endpoint.values()) {
			this.endpoints.put(endpoint, new EndpointStats());
		}
	}

	EndpointStats endpoint(Endpoint endpoint) {
		return Objects.requireNonNull(this.endpoints.get(endpoint));
	}

	/**
	 * Records a request that was answered with an error, without delay.
	 */
	void refused() {
		this.refused.increment();
	}

	/**
	 * Returns what was recorded so far.
	 * @param instance name of the instance
	 * @param openConnections connections at this moment
	 * @param inFlight requests whose delay is running at this moment
	 */
	Report report(String instance, int openConnections, int inFlight) {
		Map<String, EndpointStats.Report> reports = new LinkedHashMap<>();
		this.endpoints.forEach((endpoint, stats) -> reports.put(endpoint.key(), stats.report(endpoint.path())));
		return new Report(instance, this.since, openConnections, inFlight, this.refused.sum(), reports);
	}

	/**
	 * The answer of {@code /sim/stats}.
	 *
	 * @param instance name of the instance
	 * @param since start of the counting
	 * @param openConnections connections at this moment, this one included
	 * @param inFlight requests whose delay is running at this moment
	 * @param refused number of requests answered with an error
	 * @param endpoints figures by endpoint
	 */
	record Report(String instance, Instant since, int openConnections, int inFlight, long refused,
			Map<String, EndpointStats.Report> endpoints) {
	}

}
