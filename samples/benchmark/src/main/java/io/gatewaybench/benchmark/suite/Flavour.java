package io.gatewaybench.benchmark.suite;

/**
 * The two servers of Spring Cloud Gateway.
 */
public enum Flavour {

	/**
	 * Reactor Netty, event loops.
	 */
	WEBFLUX("WebFlux"),

	/**
	 * Tomcat, one thread per request.
	 */
	WEBMVC("WebMVC");

	private final String type;

	Flavour(String type) {
		this.type = type;
	}

	/**
	 * What the gateway calls itself in {@code _gateway} and in its headers.
	 * @return {@code WebFlux} or {@code WebMVC}
	 */
	public String type() {
		return this.type;
	}

}
