package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * What makes a response right.
 *
 * @param status the HTTP status, 101 for a WebSocket that the target has to close with
 * 1000
 * @param minBytes the least size of the body in bytes, after removal of the transfer
 * coding, or of the data in all frames together
 * @param gatewayType {@code WebFlux} or {@code WebMVC} if the last member of the body,
 * which is a JSON object, must be {@code "_gateway":{"type":"WebFlux","timestamp":<epoch
 * ms, at most 5 minutes off>,"processed":true}}; {@code null} if the body must only be
 * complete
 */
public record Expectation(int status, int minBytes, @Nullable String gatewayType) {

	/**
	 * The status that opens a WebSocket.
	 */
	public static final int WEB_SOCKET = 101;

	/**
	 * Checks the values.
	 * @throws InvalidValueException if the status is not one of a final response, the
	 * size is negative or the type is not plain letters
	 */
	public Expectation {
		InvalidValueException.unless(status == WEB_SOCKET || (status >= 200 && status <= 599), "expect.status", status,
				"choose 200 to 599");
		InvalidValueException.unless(minBytes >= 0, "expect.minBytes", minBytes, "choose 0 or more");
		InvalidValueException.unless(gatewayType == null || gatewayType.matches("[A-Za-z0-9-]{1,64}"),
				"expect.gatewayType", gatewayType, "choose 1 to 64 letters, digits or hyphens");
	}

	/**
	 * Whether the request opens a WebSocket.
	 * @return whether it does
	 */
	public boolean webSocket() {
		return this.status == WEB_SOCKET;
	}

}
