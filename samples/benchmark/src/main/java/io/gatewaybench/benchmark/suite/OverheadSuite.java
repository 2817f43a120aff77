package io.gatewaybench.benchmark.suite;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the starter costs: a gateway that only strips the prefix, beside the starter and
 * without it, then the starter's routes, one feature after the other, and all of them.
 */
final class OverheadSuite {

	private static final int CONNECTIONS = 100;

	private OverheadSuite() {
	}

	static Suite create() {
		List<Scenario> scenarios = new ArrayList<>();
		scenarios.add(Scenario.of(Variant.DIRECT, PublishedMix.direct(CONNECTIONS), null));
		for (Variant gateway : Suites.gateways()) {
			scenarios.addAll(rows(gateway));
		}
		return new Suite("overhead", "What the starter costs: bare gateways, each feature alone, all features",
				"no published figures", new Suite.Backends(PublishedMix.SERVICES, 2, true), Design.DUETS, scenarios);
	}

	private static List<Scenario> rows(Variant gateway) {
		Variant bare = PlainProxy.bare(gateway);
		List<Scenario> rows = new ArrayList<>(
				List.of(row(bare, null), row(PlainProxy.stock(gateway).beside(bare), null)));
		rows.add(row(PlainProxy.of(gateway.named("routes", "routes only")).beside(bare), null));
		for (String feature : PlainProxy.FEATURES) {
			List<String> others = PlainProxy.FEATURES.stream().filter((each) -> !each.equals(feature)).toList();
			rows.add(row(gateway.named(feature, feature).with(PlainProxy.without(others)).beside(bare),
					feature.equals("body-rewrite") ? gateway.flavour() : null));
		}
		rows.add(row(gateway.named("all", "all features").beside(bare), gateway.flavour()));
		return rows;
	}

	private static Scenario row(Variant variant, @Nullable Flavour rewriting) {
		return Scenario.of(variant, PublishedMix.closed(rewriting, CONNECTIONS), null);
	}

}
