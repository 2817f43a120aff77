package io.gatewaybench.internal.tomcat;

/**
 * Attributes of a request by which the server offers what Jakarta Servlet has no method
 * for.
 */
public final class RequestAttributes {

	/**
	 * There if the client may reset the request: a
	 * {@link java.util.function.BooleanSupplier} that tells whether it did.
	 */
	public static final String CLIENT_RESET = "io.gatewaybench.internal.tomcat.clientReset";

	/**
	 * There if the server may compress the response: a {@link Runnable} that keeps the
	 * server from it.
	 */
	public static final String LEAVE_UNCODED = "io.gatewaybench.internal.tomcat.leaveUncoded";

	/**
	 * There if the response may end with its connection: a {@link Runnable} that makes
	 * the server reset the connection when it closes it.
	 */
	public static final String RESET_ON_CLOSE = "io.gatewaybench.internal.tomcat.resetOnClose";

	private RequestAttributes() {
	}

}
