package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.tomcat.WebSocketTunnel;
import io.gatewaybench.internal.websocket.Handshake;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServletServerHttpRequest;

/**
 * Connection to an instance that has accepted a WebSocket, until the client leaves HTTP.
 * It is the body of the response, so what drops a response closes it.
 */
final class AcceptedWebSocket extends InputStream {

	private final Socket socket;

	private final InputStream in;

	private final HandshakeClient owner;

	private final AtomicBoolean taken = new AtomicBoolean();

	AcceptedWebSocket(Socket socket, InputStream in, HandshakeClient owner) {
		this.socket = socket;
		this.in = in;
		this.owner = owner;
	}

	/**
	 * Whether a request asks for a WebSocket. The gateway's filters see none of what
	 * belongs to the connection of the client.
	 * @param request the request, in any wrapper
	 */
	static boolean isAsked(HttpServletRequest request) {
		if (request.getHeader(Handshake.KEY) == null || !"HTTP/1.1".equals(request.getProtocol())) {
			return false;
		}
		ServletRequest sent = request;
		while (sent instanceof ServletRequestWrapper wrapper) {
			sent = wrapper.getRequest();
		}
		return sent instanceof HttpServletRequest http
				&& Handshake.isAsked(http.getMethod(), new ServletServerHttpRequest(http).getHeaders());
	}

	/**
	 * Answer the client. The exchange, and the request of the container, last as long as
	 * the session.
	 */
	void begin(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		ServletExchange exchange = Objects.requireNonNull(ServletExchange.of(request));
		GatewayExchange current = exchange.current();
		String upstream = Objects.requireNonNull(current.upstream().call()).upstream();
		if (this.taken.getAndSet(true)) {
			throw new IOException("The WebSocket has been given up");
		}
		response.setHeader(HttpHeaders.UPGRADE, Handshake.PROTOCOL);
		response.setHeader(HttpHeaders.CONNECTION, "upgrade");
		WebSocketTunnel tunnel = request.upgrade(WebSocketTunnel.class);
		exchange.upgraded();
		this.owner.open().begun();
		tunnel.begin(this.socket, this.in, upstream, this.owner.all(), this.owner.executor(), () -> {
			current.upstream().bodyEnded();
			current.outcome().completed(current, HttpStatus.SWITCHING_PROTOCOLS.value());
			exchange.completed();
			this.owner.open().ended();
		});
	}

	@Override
	public int read() {
		return -1;
	}

	@Override
	public void close() {
		if (!this.taken.getAndSet(true)) {
			this.owner.all().leave();
			HandshakeClient.close(this.socket);
		}
	}

}
