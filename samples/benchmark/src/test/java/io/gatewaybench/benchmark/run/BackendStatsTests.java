package io.gatewaybench.benchmark.run;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class BackendStatsTests {

	private static String stats(long requests, double mean) {
		return """
				{"instance": "service-a-1", "endpoints": {"heavy": {"path": "/api/heavy", "requests": %d,
				"achievedMs": {"mean": %s, "p50": 1}}, "hello": {"path": "/api/hello", "requests": 0}}}"""
			.formatted(requests, mean);
	}

	@Test
	void theMeanOfTheMeasurementIsThatOfTheRequestsInIt() {
		// 100 requests of 10 ms before, 300 of 70 ms in it
		BackendStats before = Backends.parse(stats(100, 10));
		BackendStats after = Backends.parse(stats(400, 55));
		assertThat(after.since(before).meanMs("/api/heavy")).isCloseTo(70, within(1e-9));
	}

	@Test
	void instancesCountByTheirRequests() {
		BackendStats sum = Backends.parse(stats(100, 10)).plus(Backends.parse(stats(300, 50)));
		assertThat(sum.meanMs("/api/heavy")).isCloseTo(40, within(1e-9));
	}

	@Test
	void anEndpointWithoutRequestsHasNoMean() {
		BackendStats stats = Backends.parse(stats(100, 10));
		assertThat(stats.meanMs("/api/hello")).isNull();
		assertThat(stats.meanMs("/api/other")).isNull();
		assertThat(stats.since(stats).meanMs("/api/heavy")).isNull();
	}

}
