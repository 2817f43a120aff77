package io.gatewaybench.webflux;

import java.util.List;

import io.netty.handler.codec.http.HttpHeaderNames;
import reactor.netty.http.client.HttpClient;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/**
 * Clients that leave out what Reactor Netty adds to a request: {@code User-Agent},
 * {@code Accept}, and the chunked coding of a request that has no body. There is one for
 * each combination, so that no request needs a client of its own.
 */
final class PlainClients {

	private static final int NO_USER_AGENT = 1;

	private static final int NO_ACCEPT = 2;

	private static final int NO_BODY = 4;

	private static final String ANY_TYPE = "*/*";

	/**
	 * Reactor Netty collects a body with one of these methods before it sends it.
	 */
	static final List<HttpMethod> COLLECTED = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE);

	private final HttpClient[] clients = new HttpClient[8];

	PlainClients(HttpClient client) {
		this.clients[0] = client;
		for (int i = 1; i < this.clients.length; i++) {
			int missing = i;
			this.clients[i] = client.doOnRequest((request, connection) -> leaveOut(missing, request.requestHeaders()));
		}
	}

	/**
	 * The client for a request.
	 * @param request the request after all filters of the route
	 * @return the client that adds nothing to it
	 */
	HttpClient of(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		int missing = headers.containsHeader(HttpHeaders.USER_AGENT) ? 0 : NO_USER_AGENT;
		if (!headers.containsHeader(HttpHeaders.ACCEPT)) {
			missing |= NO_ACCEPT;
		}
		if (isWithoutBody(request, headers)) {
			missing |= NO_BODY;
		}
		return this.clients[missing];
	}

	/**
	 * Reactor Netty looks for the body itself with some methods. A filter that decorates
	 * the request may have given it a body.
	 */
	private static boolean isWithoutBody(ServerHttpRequest request, HttpHeaders headers) {
		return !COLLECTED.contains(request.getMethod()) && !headers.containsHeader(HttpHeaders.CONTENT_LENGTH)
				&& !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
				&& !(request instanceof ServerHttpRequestDecorator);
	}

	/**
	 * A filter of headers may have set them meanwhile.
	 */
	private static void leaveOut(int missing, io.netty.handler.codec.http.HttpHeaders headers) {
		if ((missing & NO_USER_AGENT) != 0 && HttpClient.USER_AGENT.equals(headers.get(HttpHeaderNames.USER_AGENT))) {
			headers.remove(HttpHeaderNames.USER_AGENT);
		}
		if ((missing & NO_ACCEPT) != 0 && ANY_TYPE.equals(headers.get(HttpHeaderNames.ACCEPT))) {
			headers.remove(HttpHeaderNames.ACCEPT);
		}
		if ((missing & NO_BODY) != 0) {
			headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
		}
	}

}
