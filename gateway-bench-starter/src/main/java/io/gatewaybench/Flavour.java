package io.gatewaybench;

/**
 * Flavour of Spring Cloud Gateway that the starter serves.
 *
 * @since 0.1.0
 */
public enum Flavour {

	/**
	 * The reactive gateway, on Netty.
	 */
	WEBFLUX("WebFlux"),

	/**
	 * The servlet gateway, on platform or virtual threads.
	 */
	WEBMVC("WebMVC");

	private final String label;

	Flavour(String label) {
		this.label = label;
	}

	/**
	 * Name as it appears in headers, metrics and the {@code _gateway} field.
	 * @return {@code WebFlux} or {@code WebMVC}
	 */
	public String label() {
		return this.label;
	}

}
