package io.gatewaybench.autoconfigure.webmvc;

import java.time.Duration;

import io.gatewaybench.upstream.ConnectionSettings;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;

/**
 * Reactor Netty's client for a gateway. It has no limit for all instances together.
 */
final class ReactorTuning {

	private ReactorTuning() {
	}

	static ReactorClientHttpRequestFactoryBuilder tune(ReactorClientHttpRequestFactoryBuilder builder,
			ConnectionSettings connections) {
		return builder.withHttpClientFactory(() -> HttpClient.create(pool(connections)))
			.withHttpClientCustomizer(
					(client) -> client.compress(false).protocol(HttpProtocol.HTTP11).disableRetry(true));
	}

	private static ConnectionProvider pool(ConnectionSettings connections) {
		Duration idle = connections.maxIdleTime();
		return ConnectionProvider.builder("gateway-bench")
			.maxConnections(connections.maxPerInstance())
			.pendingAcquireMaxCount(-1)
			.pendingAcquireTimeout(connections.acquireTimeout())
			.maxIdleTime(idle)
			.evictInBackground(idle)
			// Nobody closes the pool when the application ends
			.disposeInactivePoolsInBackground(idle, idle)
			.lifo()
			.build();
	}

}
