package io.gatewaybench.benchmark.suite;

import java.util.List;

/**
 * WebFlux, WebMVC on virtual threads and WebMVC in front of three services, at 16 and 100
 * connections.
 */
final class GatewaySuite {

	static final Variant WEBFLUX = new Variant("webflux", "WebFlux", GatewayArtifact.WEBFLUX, Threads.PLATFORM);

	static final Variant WEBMVC_VT = new Variant("webmvc-vt", "WebMVC+VT", GatewayArtifact.WEBMVC, Threads.VIRTUAL);

	static final Variant WEBMVC = new Variant("webmvc", "WebMVC", GatewayArtifact.WEBMVC, Threads.PLATFORM);

	private GatewaySuite() {
	}

	static Suite create() {
		return new Suite("gateway", "WebFlux, WebMVC with virtual threads and WebMVC at 16 and 100 connections",
				PublishedGatewayFigures.SOURCE, new Suite.Backends(PublishedMix.SERVICES, 2, false), Design.FRESH,
				List.of(control(16), control(100), scenario(WEBFLUX, 16, PublishedGatewayFigures.WEBFLUX_16),
						scenario(WEBMVC_VT, 16, PublishedGatewayFigures.WEBMVC_VT_16),
						scenario(WEBMVC, 16, PublishedGatewayFigures.WEBMVC_16),
						scenario(WEBFLUX, 100, PublishedGatewayFigures.WEBFLUX_100),
						scenario(WEBMVC_VT, 100, PublishedGatewayFigures.WEBMVC_VT_100),
						scenario(WEBMVC, 100, PublishedGatewayFigures.WEBMVC_100)));
	}

	private static Scenario scenario(Variant variant, int connections, Published published) {
		return Scenario.of(variant, PublishedMix.closed(variant.flavour(), connections), published);
	}

	private static Scenario control(int connections) {
		return Scenario.of(Variant.DIRECT, PublishedMix.direct(connections), null);
	}

}
