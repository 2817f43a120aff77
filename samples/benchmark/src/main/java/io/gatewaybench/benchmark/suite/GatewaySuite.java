package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;

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
				List.of(scenario(WEBFLUX, 16, PublishedGatewayFigures.WEBFLUX_16),
						scenario(WEBMVC_VT, 16, PublishedGatewayFigures.WEBMVC_VT_16),
						scenario(WEBMVC, 16, PublishedGatewayFigures.WEBMVC_16),
						scenario(WEBFLUX, 100, PublishedGatewayFigures.WEBFLUX_100),
						scenario(WEBMVC_VT, 100, PublishedGatewayFigures.WEBMVC_VT_100),
						scenario(WEBMVC, 100, PublishedGatewayFigures.WEBMVC_100)));
	}

	private static Scenario scenario(Variant variant, int connections, Published published) {
		return new Scenario(variant.id() + "-c" + connections, variant.title() + " × " + connections, variant,
				new Workload(Model.CLOSED, mix(variant.flavour().type()), connections, Duration.ZERO), published);
	}

	private static List<RequestType> mix(String gatewayType) {
		return List.of(get("heavy", 40, "/api/heavy", 40_000, gatewayType),
				get("data", 35, "/api/data", 4_000, gatewayType),
				new RequestType("process", 25, "POST", paths("/api/process"),
						Map.of("Content-Type", "application/json"),
						"{\"id\":42,\"name\":\"benchmark\",\"values\":[1,2,3]}",
						new Expectation(200, 50, gatewayType)));
	}

	private static RequestType get(String name, double weight, String path, int minBytes, String gatewayType) {
		return new RequestType(name, weight, "GET", paths(path), Map.of(), null,
				new Expectation(200, minBytes, gatewayType));
	}

	private static List<String> paths(String path) {
		return BACKENDS.services().stream().map((service) -> "/" + service + path).toList();
	}

}
