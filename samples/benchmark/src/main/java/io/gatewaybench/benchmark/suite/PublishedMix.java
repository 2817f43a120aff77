package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * The requests that were published: 40 % heavy, 35 % data and 25 % process, to three
 * services.
 */
final class PublishedMix {

	/**
	 * The services, each under its name as the first segment of the path.
	 */
	static final List<String> SERVICES = List.of("service-a", "service-b", "service-c");

	private PublishedMix() {
	}

	/**
	 * A closed loop whose answers have the {@code _gateway} field of a flavour.
	 */
	static Load closed(@Nullable Flavour flavour, int connections) {
		return load(mix(SERVICES.stream().map((service) -> "/" + service).toList(),
				(flavour != null) ? flavour.type() : null), connections);
	}

	/**
	 * The same requests as a backend gets them.
	 */
	static Load direct(int connections) {
		return load(mix(List.of(""), null), connections);
	}

	private static Load load(List<RequestType> mix, int connections) {
		return Load.closed(new Workload(Model.CLOSED, mix, connections, Duration.ZERO));
	}

	private static List<RequestType> mix(List<String> prefixes, @Nullable String type) {
		return List.of(
				new RequestType("heavy", 40, "GET", paths(prefixes, "/api/heavy"), Map.of(), null,
						new Expectation(200, 40_000, type)),
				new RequestType("data", 35, "GET", paths(prefixes, "/api/data"), Map.of(), null,
						new Expectation(200, 4_000, type)),
				new RequestType("process", 25, "POST", paths(prefixes, "/api/process"),
						Map.of("Content-Type", "application/json"),
						"{\"id\":42,\"name\":\"benchmark\",\"values\":[1,2,3]}", new Expectation(200, 50, type)));
	}

	private static List<String> paths(List<String> prefixes, String path) {
		return prefixes.stream().map((prefix) -> prefix + path).toList();
	}

}
