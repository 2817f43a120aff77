package io.gatewaybench.webmvc;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.websocket.Handshake;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Requests that ask for a WebSocket, on routes to an upstream. They are sent as any
 * other, by a client that keeps the connection after 101.
 */
final class WebSocketUpgrades {

	private final WebSockets all;

	private final Map<ConnectSettings, ProxyExchange> clients;

	private final OpenRequests open;

	private final Executor executor;

	WebSocketUpgrades(WebSockets all, Map<ConnectSettings, ProxyExchange> clients, OpenRequests open,
			Executor executor) {
		this.all = all;
		this.clients = clients;
		this.open = open;
		this.executor = executor;
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
		return sent instanceof HttpServletRequest http && Handshake.isAsked(http.getMethod(), headers(http));
	}

	private static HttpHeaders headers(HttpServletRequest request) {
		HttpHeaders headers = MutableHttpHeaders.copyOf(HttpHeaders.EMPTY);
		for (String name : Collections.list(request.getHeaderNames())) {
			headers.put(name, List.copyOf(Collections.list(request.getHeaders(name))));
		}
		return headers;
	}

	/**
	 * Send a request, in one of the places that there are.
	 * @throws UpstreamException if there is none
	 */
	ServerResponse send(Supplier<ServerResponse> exchange) {
		if (!this.all.enter()) {
			throw new UpstreamException(UpstreamFailure.NO_CONNECTION, null);
		}
		boolean accepted = false;
		try {
			ServerResponse response = exchange.get();
			accepted = response.statusCode().value() == HttpStatus.SWITCHING_PROTOCOLS.value();
			return response;
		}
		finally {
			if (!accepted) {
				this.all.leave();
			}
		}
	}

	ProxyExchange client(UpstreamCall call) {
		return Objects.requireNonNull(this.clients.get(call.connect()));
	}

	/**
	 * An instance has accepted the session, which begins with the response to the client.
	 * The request lasts as long as the session.
	 */
	void accepted(UpstreamSocket socket, ServletExchange owner, GatewayExchange exchange, ServerResponse response) {
		String upstream = Objects.requireNonNull(exchange.upstream().call()).upstream();
		WebSocketTunnel tunnel = new WebSocketTunnel(socket, upstream, this.all, this.executor, () -> {
			exchange.upstream().bodyEnded();
			exchange.outcome().completed(exchange, HttpStatus.SWITCHING_PROTOCOLS.value());
			if (owner.isUpgraded()) {
				owner.completed();
				this.open.ended();
			}
		});
		((ProxiedResponse) response).begin((request, servletResponse) -> {
			tunnel.begin(request, servletResponse);
			this.open.begun();
			owner.upgraded();
		});
	}

}
