package io.gatewaybench.benchmark.suite;

import java.util.ArrayList;
import java.util.List;

/**
 * What the client for upstreams costs on WebMVC: a plain proxy with each one that Spring
 * Boot finds, set up by the starter, and the stock gateway. All have the same class path,
 * so that they differ in nothing but the client.
 */
final class ClientsSuite {

	private static final int CONNECTIONS = 100;

	private ClientsSuite() {
	}

	static Suite create() {
		List<Scenario> scenarios = new ArrayList<>();
		scenarios.add(Scenario.of(Variant.DIRECT, PublishedMix.direct(CONNECTIONS), null));
		for (Variant gateway : List.of(GatewaySuite.WEBMVC_VT, GatewaySuite.WEBMVC)) {
			for (Variant variant : variants(gateway.from(GatewayArtifact.WEBMVC_CLIENTS))) {
				scenarios.add(Scenario.of(variant, PublishedMix.closed(null, CONNECTIONS), null));
			}
		}
		return new Suite("clients", "WebMVC with Apache's, Jetty's, Reactor Netty's and the JDK's client, and stock",
				"no published figures", new Suite.Backends(PublishedMix.SERVICES, 2, true), Design.DUETS, scenarios);
	}

	private static List<Variant> variants(Variant gateway) {
		Variant apache = variant(gateway, "apache", "Apache", "http-components");
		return List.of(apache, variant(gateway, "jetty", "Jetty", "jetty").beside(apache),
				variant(gateway, "reactor", "Reactor Netty", "reactor").beside(apache),
				variant(gateway, "jdk", "JDK", "jdk").beside(apache), PlainProxy.stock(gateway).beside(apache));
	}

	private static Variant variant(Variant gateway, String id, String title, String factory) {
		return PlainProxy.of(gateway.named(id, title))
			.with(List.of("--spring.http.clients.imperative.factory=" + factory));
	}

}
