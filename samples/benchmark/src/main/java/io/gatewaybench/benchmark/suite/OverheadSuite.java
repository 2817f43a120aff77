package io.gatewaybench.benchmark.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What the starter costs: a gateway that only strips the prefix, with the client as it
 * comes and with the starter's, then one feature after the other, then all of them.
 */
final class OverheadSuite {

	private static final int CONNECTIONS = 100;

	private static final List<String> FEATURES = List.of("headers", "body-rewrite", "metrics");

	private OverheadSuite() {
	}

	static Suite create() {
		List<Scenario> scenarios = new ArrayList<>();
		scenarios.add(Scenario.of(Variant.DIRECT, PublishedMix.direct(CONNECTIONS), null));
		for (Variant gateway : List.of(GatewaySuite.WEBFLUX, GatewaySuite.WEBMVC_VT, GatewaySuite.WEBMVC)) {
			scenarios.addAll(rows(gateway));
		}
		return new Suite("overhead", "What the starter costs: bare gateways, each feature alone, all features",
				"no published figures", new Suite.Backends(PublishedMix.SERVICES, 2, true), Design.DUETS, scenarios);
	}

	private static List<Scenario> rows(Variant gateway) {
		Variant bare = gateway.named("bare", "bare").with(without(FEATURES)).with(ownRoutes(gateway));
		Variant stock = gateway.named("stock", "stock")
			.with(List.of("--gateway-bench.enabled=false"))
			.with(ownRoutes(gateway))
			.with(defaultClient(gateway))
			.beside(bare);
		List<Scenario> rows = new ArrayList<>(List.of(row(bare, null), row(stock, null)));
		rows.add(row(gateway.named("routes", "routes only").with(without(FEATURES)).beside(bare), null));
		for (String feature : FEATURES) {
			List<String> others = FEATURES.stream().filter((each) -> !each.equals(feature)).toList();
			rows.add(row(gateway.named(feature, feature).with(without(others)).beside(bare),
					feature.equals("body-rewrite") ? gateway.flavour() : null));
		}
		rows.add(row(gateway.named("all", "all features").beside(bare), gateway.flavour()));
		return rows;
	}

	private static Scenario row(Variant variant, @Nullable Flavour rewriting) {
		return Scenario.of(variant, PublishedMix.closed(rewriting, CONNECTIONS), null);
	}

	private static List<String> without(List<String> features) {
		return features.stream().map((feature) -> "--gateway-bench." + feature + ".enabled=false").toList();
	}

	/**
	 * The gateway's own routes and its own filter instead of the starter's, and nothing
	 * of the configuration of the sample.
	 */
	private static List<String> ownRoutes(Variant gateway) {
		String type = String.valueOf(gateway.flavour()).toLowerCase(Locale.ROOT);
		List<String> arguments = new ArrayList<>(List.of("--spring.config.name=none"));
		for (String service : PublishedMix.SERVICES) {
			String route = "--spring.cloud.gateway.server.%s.routes[%d].".formatted(type,
					PublishedMix.SERVICES.indexOf(service));
			Stream
				.of("id=" + service, "uri={" + service + "}", "predicates[0]=Path=/" + service + "/**",
						"filters[0]=StripPrefix=1")
				.map(route::concat)
				.forEach(arguments::add);
		}
		return arguments;
	}

	// What a WebMVC gateway has without another client on its class path
	private static List<String> defaultClient(Variant gateway) {
		return (gateway.flavour() == Flavour.WEBMVC) ? List.of("--spring.http.clients.imperative.factory=jdk")
				: List.of();
	}

}
