package io.gatewaybench.benchmark.suite;

/**
 * The two servers of Spring Cloud Gateway.
 */
public enum Flavour {

	/**
	 * Reactor Netty, event loops.
	 */
	WEBFLUX("WebFlux", "gateway-webflux"),

	/**
	 * Tomcat, one thread per request.
	 */
	WEBMVC("WebMVC", "gateway-webmvc");

	private final String type;

	private final String sample;

	Flavour(String type, String sample) {
		this.type = type;
		this.sample = sample;
	}

	/**
	 * What the gateway calls itself in {@code _gateway} and in its headers.
	 * @return {@code WebFlux} or {@code WebMVC}
	 */
	public String type() {
		return this.type;
	}

	/**
	 * The module that has this gateway, and the name of its jar without {@code .jar}.
	 * @return the artifact id
	 */
	public String sample() {
		return this.sample;
	}

}
