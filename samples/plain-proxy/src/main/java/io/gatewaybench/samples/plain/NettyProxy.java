package io.gatewaybench.samples.plain;

import java.util.Map;

import io.netty.handler.codec.http.HttpHeaders;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * Reactor Netty's server and client, as below the WebFlux gateway.
 */
final class NettyProxy {

	private static final int CONNECTIONS = 1000;

	private final HttpClient client = HttpClient.create(ConnectionProvider.create("plain", CONNECTIONS));

	private final Map<String, String> services;

	private NettyProxy(Map<String, String> services) {
		this.services = services;
	}

	static DisposableServer start(String address, int port, Map<String, String> services) {
		return HttpServer.create().host(address).port(port).handle(new NettyProxy(services)::proxy).bindNow();
	}

	private Publisher<Void> proxy(HttpServerRequest request, HttpServerResponse response) {
		String target = PlainProxy.target(request.uri(), this.services);
		if (target == null) {
			return response.sendNotFound();
		}
		HttpHeaders received = request.requestHeaders();
		boolean body = received.contains("content-length") || received.contains("transfer-encoding");
		return this.client.headers((headers) -> copy(received, headers))
			.request(request.method())
			.uri(target)
			.send((sent, outbound) -> body ? outbound.send(request.receive().retain()) : Mono.empty())
			.responseConnection((upstream, connection) -> respond(upstream, response)
				.send(connection.inbound().receive().retain()));
	}

	private static HttpServerResponse respond(HttpClientResponse upstream, HttpServerResponse response) {
		copy(upstream.responseHeaders(), response.status(upstream.status()).responseHeaders());
		return response;
	}

	private static void copy(HttpHeaders from, HttpHeaders to) {
		from.forEach((header) -> {
			if (PlainProxy.passes(header.getKey())) {
				to.add(header.getKey(), header.getValue());
			}
		});
	}

}
