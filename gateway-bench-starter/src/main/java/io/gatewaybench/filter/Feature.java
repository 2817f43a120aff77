package io.gatewaybench.filter;

/**
 * Something the starter does to the traffic of a route.
 *
 * @since 0.1.0
 */
public enum Feature {

	/**
	 * Drops the first segments of the path.
	 */
	STRIP_PREFIX("StripGatewayPrefix"),

	/**
	 * Sets headers on the request to the upstream and on the response to the client.
	 */
	HEADERS("AddGatewayHeaders"),

	/**
	 * Adds the {@code _gateway} field to JSON responses.
	 */
	BODY_REWRITE("InjectGatewayMetadata"),

	/**
	 * Counts and times requests.
	 */
	METRICS("RecordGatewayMetrics");

	private final String filterName;

	Feature(String filterName) {
		this.filterName = filterName;
	}

	/**
	 * Name under which a native route asks for this feature in its list of filters, the
	 * same on both flavours.
	 * @return the name of the filter
	 */
	public String filterName() {
		return this.filterName;
	}

}
