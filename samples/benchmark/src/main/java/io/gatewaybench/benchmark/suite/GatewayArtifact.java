package io.gatewaybench.benchmark.suite;

/**
 * The gateways that can be started.
 */
public enum GatewayArtifact {

	/**
	 * The one for Reactor Netty.
	 */
	WEBFLUX(Flavour.WEBFLUX, "gateway-webflux"),

	/**
	 * The one for Tomcat, whose client for upstreams is Apache's.
	 */
	WEBMVC(Flavour.WEBMVC, "gateway-webmvc"),

	/**
	 * {@link #WEBMVC} with every client that Spring Boot finds on its class path, so that
	 * an argument can choose one.
	 */
	WEBMVC_CLIENTS(Flavour.WEBMVC, "gateway-webmvc-clients");

	private final Flavour flavour;

	private final String module;

	GatewayArtifact(Flavour flavour, String module) {
		this.flavour = flavour;
		this.module = module;
	}

	/**
	 * The server it runs on.
	 * @return the flavour
	 */
	public Flavour flavour() {
		return this.flavour;
	}

	/**
	 * The module that has this gateway, and the name of its jar without {@code .jar}.
	 * @return the artifact id
	 */
	public String module() {
		return this.module;
	}

}
