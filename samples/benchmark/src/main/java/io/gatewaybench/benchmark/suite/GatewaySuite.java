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
 * WebFlux, WebMVC on virtual threads and WebMVC in front of three services, at 16 and 100
 * connections.
 */
final class GatewaySuite {

	private static final Suite.Backends BACKENDS = new Suite.Backends(List.of("service-a", "service-b", "service-c"),
			2);

	private static final Variant WEBFLUX = new Variant("webflux", "WebFlux", Flavour.WEBFLUX, Threads.PLATFORM,
			List.of());

	private static final Variant WEBMVC_VT = new Variant("webmvc-vt", "WebMVC+VT", Flavour.WEBMVC, Threads.VIRTUAL,
			List.of());

	private static final Variant WEBMVC = new Variant("webmvc", "WebMVC", Flavour.WEBMVC, Threads.PLATFORM, List.of());

	private GatewaySuite() {
	}

	static Suite create() {
		return new Suite("gateway", "WebFlux, WebMVC with virtual threads and WebMVC at 16 and 100 connections",
				PublishedGatewayFigures.SOURCE, BACKENDS,
				List.of(control(16), control(100), scenario(WEBFLUX, 16, PublishedGatewayFigures.WEBFLUX_16),
						scenario(WEBMVC_VT, 16, PublishedGatewayFigures.WEBMVC_VT_16),
						scenario(WEBMVC, 16, PublishedGatewayFigures.WEBMVC_16),
						scenario(WEBFLUX, 100, PublishedGatewayFigures.WEBFLUX_100),
						scenario(WEBMVC_VT, 100, PublishedGatewayFigures.WEBMVC_VT_100),
						scenario(WEBMVC, 100, PublishedGatewayFigures.WEBMVC_100)));
	}

	private static Scenario scenario(Variant variant, int connections, Published published) {
		return Scenario.of(variant, load(mix(variant.flavour()), connections), published);
	}

	private static Scenario control(int connections) {
		return Scenario.of(Variant.DIRECT, load(mix(null), connections), null);
	}

	private static Load load(List<RequestType> mix, int connections) {
		return Load.closed(new Workload(Model.CLOSED, mix, connections, Duration.ZERO));
	}

	private static List<RequestType> mix(@Nullable Flavour flavour) {
		return List.of(get("heavy", 40, "/api/heavy", 40_000, flavour), get("data", 35, "/api/data", 4_000, flavour),
				new RequestType("process", 25, "POST", paths("/api/process", flavour),
						Map.of("Content-Type", "application/json"),
						"{\"id\":42,\"name\":\"benchmark\",\"values\":[1,2,3]}", expect(50, flavour)));
	}

	private static RequestType get(String name, double weight, String path, int minBytes, @Nullable Flavour flavour) {
		return new RequestType(name, weight, "GET", paths(path, flavour), Map.of(), null, expect(minBytes, flavour));
	}

	private static Expectation expect(int minBytes, @Nullable Flavour flavour) {
		return new Expectation(200, minBytes, (flavour != null) ? flavour.type() : null);
	}

	private static List<String> paths(String path, @Nullable Flavour flavour) {
		return (flavour == null) ? List.of(path)
				: BACKENDS.services().stream().map((service) -> "/" + service + path).toList();
	}

}
