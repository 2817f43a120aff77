package io.gatewaybench.benchmark.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Gateways that strip the prefix of the three services and do nothing else.
 */
final class PlainProxy {

	static final List<String> FEATURES = List.of("headers", "body-rewrite", "metrics");

	private PlainProxy() {
	}

	/**
	 * The starter's routes and its client.
	 */
	static Variant of(Variant gateway) {
		return gateway.with(without(FEATURES));
	}

	/**
	 * The gateway's own routes and filter, and the starter's client.
	 */
	static Variant bare(Variant gateway) {
		return of(gateway.named("bare", "bare")).with(ownRoutes(gateway))
			.with(List.of("--gateway-bench.scope=all", "--gateway-bench.strip-prefix.enabled=false"));
	}

	/**
	 * Nothing of the starter, and the client that a gateway has without another one on
	 * its class path.
	 */
	static Variant stock(Variant gateway) {
		return gateway.named("stock", "stock")
			.with(List.of("--gateway-bench.enabled=false"))
			.with(ownRoutes(gateway))
			.with(defaultClient(gateway));
	}

	static List<String> without(List<String> features) {
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

	private static List<String> defaultClient(Variant gateway) {
		return (gateway.flavour() == Flavour.WEBMVC) ? List.of("--spring.http.clients.imperative.factory=jdk")
				: List.of();
	}

}
