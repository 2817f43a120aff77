package io.gatewaybench.filter;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Changes the headers of requests and responses on routes whose headers the starter sets,
 * after it has set them: what depends on the route, what has to be removed. Beans of this
 * type are asked in their order, by many threads at once. They must not block.
 * <p>
 * They are asked for each attempt, also if its response does not reach the client. A
 * request that is sent again has the headers as they were before the first attempt, so
 * that a time or a signature is a new one.
 * <p>
 * What frames the message, such as {@code Content-Length}, has to stay as it is. A name
 * or value that no message can have, or an exception, ends the request with 500.
 *
 * @since 0.1.0
 */
public interface GatewayHeadersCustomizer {

	/**
	 * Change the headers of a request on its way to the upstream.
	 * @param route id of the route, {@code null} if it has none
	 * @param headers the headers, to be changed in place
	 */
	default void customizeRequest(@Nullable String route, HttpHeaders headers) {
	}

	/**
	 * Change the headers of a response on its way to the client.
	 * @param route id of the route, {@code null} if it has none
	 * @param headers the headers, to be changed in place
	 */
	default void customizeResponse(@Nullable String route, HttpHeaders headers) {
	}

}
