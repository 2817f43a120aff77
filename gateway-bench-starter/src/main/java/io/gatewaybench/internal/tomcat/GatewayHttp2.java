package io.gatewaybench.internal.tomcat;

import java.time.Duration;

import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2Protocol;

/**
 * HTTP/2 of Tomcat for connections that many users share. A client may cancel more
 * streams in a row than five or six. A request with a body is answered over HTTP/1.1
 * although its client offers HTTP/2, as a server need not accept (RFC 9110, section 7.8).
 * Tomcat would collect the body first, and refuse it if it is long.
 */
final class GatewayHttp2 extends Http2Protocol {

	/**
	 * Tomcat's own: the tenth frame in a row that carries nothing ends a connection.
	 */
	private static final int FRAMES = 10;

	/**
	 * By how much a stream that is opened makes up for others.
	 */
	private static final int OPENED = 20;

	/**
	 * Create the protocol.
	 * @param maxCancelledStreams how many streams of a connection may be cancelled
	 * @param bodyTimeout how long a client may pause while it sends a body; zero for no
	 * limit
	 */
	GatewayHttp2(int maxCancelledStreams, Duration bodyTimeout) {
		setStreamReadTimeout(bodyTimeout.isZero() ? -1 : bodyTimeout.toMillis());
		setOverheadResetFactor(OPENED + 1);
		setOverheadCountFactor(Math.max(getOverheadCountFactor(), maxCancelledStreams / FRAMES));
	}

	@Override
	public boolean accept(Request request) {
		boolean body = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
		return !body && super.accept(request);
	}

}
