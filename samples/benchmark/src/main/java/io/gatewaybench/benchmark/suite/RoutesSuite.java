package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;

/**
 * What the number of routes costs, with the route index and without it: a plain proxy
 * with 1, 800 and 10,000 routes.
 */
final class RoutesSuite {

	private static final int CONNECTIONS = 100;

	private static final int MANY = 800;

	private static final int VERY_MANY = 10_000;

	private static final List<String> WITHOUT_INDEX = List.of("--gateway-bench.route-index.enabled=false");

	private RoutesSuite() {
	}

	static Suite create() {
		List<Scenario> scenarios = new ArrayList<>();
		scenarios.add(row(Variant.DIRECT, ""));
		for (Variant gateway : List.of(GatewaySuite.WEBFLUX, GatewaySuite.WEBMVC_VT)) {
			scenarios.addAll(rows(PlainProxy.of(gateway)));
		}
		return new Suite("routes", "A plain proxy with 1, 800 and 10,000 routes, with the route index and without it",
				"route matching, api0 and api800 (2019): 11,100 requests per second by the first route of 800, "
						+ "2,100 by the last, on 8 cores; nothing here is measured on such a machine",
				new Suite.Backends(List.of("service-a"), 1, true), Design.DUETS, scenarios);
	}

	private static List<Scenario> rows(Variant gateway) {
		Variant linear = gateway.named("1-linear", "1 route, no index").withRoutes(1).with(WITHOUT_INDEX);
		Variant one = gateway.named("1", "1 route").withRoutes(1).beside(linear);
		Variant first = gateway.named("800-first", "first of 800").withRoutes(MANY).beside(one);
		Variant last = gateway.named("800-last", "last of 800").withRoutes(MANY).beside(first);
		Variant lastLinear = gateway.named("800-last-linear", "last of 800, no index")
			.withRoutes(MANY)
			.with(WITHOUT_INDEX)
			.beside(last);
		Variant lastOfMost = gateway.named("10000-last", "last of 10,000").withRoutes(VERY_MANY).beside(one);
		return List.of(row(linear, "/r0"), row(one, "/r0"), row(first, "/r0"), row(last, "/r" + (MANY - 1)),
				row(lastLinear, "/r" + (MANY - 1)), row(lastOfMost, "/r" + (VERY_MANY - 1)));
	}

	private static Scenario row(Variant variant, String prefix) {
		RequestType hello = new RequestType("hello", 100, "GET", List.of(prefix + "/api/hello"), Map.of(), null,
				new Expectation(200, 1, null));
		return Scenario.of(variant, Load.closed(new Workload(Model.CLOSED, List.of(hello), CONNECTIONS, Duration.ZERO)),
				null);
	}

}
