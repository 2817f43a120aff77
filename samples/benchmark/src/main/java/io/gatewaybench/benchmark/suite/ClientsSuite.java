package io.gatewaybench.benchmark.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
			rows(gateway.from(Sample.WEBMVC_CLIENTS))
				.map((variant) -> Scenario.of(variant, PublishedMix.closed(null, CONNECTIONS), null))
				.forEach(scenarios::add);
		}
		return new Suite("clients", "WebMVC with Apache's, Jetty's, Reactor Netty's and the JDK's client, and stock",
				"no published figures", new Suite.Backends(PublishedMix.SERVICES, 2, true), Design.DUETS, scenarios);
	}

	private static Stream<Variant> rows(Variant gateway) {
		Variant apache = row(gateway, "apache", "Apache", "http-components");
		return Stream.concat(Stream.of(apache),
				Stream
					.of(row(gateway, "jetty", "Jetty", "jetty"), row(gateway, "reactor", "Reactor Netty", "reactor"),
							row(gateway, "jdk", "JDK", "jdk"), PlainProxy.stock(gateway))
					.map((other) -> other.beside(apache)));
	}

	private static Variant row(Variant gateway, String id, String title, String factory) {
		return PlainProxy.of(gateway.named(id, title))
			.with(List.of("--spring.http.clients.imperative.factory=" + factory));
	}

}
