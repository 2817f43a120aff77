package io.gatewaybench.webmvc;

import java.time.Duration;

import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.internal.upstream.ConnectionSettings;
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

	/**
	 * The pool is closed with the application. To let it close what is not used for some
	 * time, as it could, may close the connection of a request that comes just then.
	 */
	static TunedClient tune(ReactorClientHttpRequestFactoryBuilder builder, ConnectionSettings connections) {
		ConnectionProvider pool = pool(connections);
		return new TunedClient(
				builder.withHttpClientFactory(() -> HttpClient.create(pool))
					.withHttpClientCustomizer((client) -> TunedNetty
						.client(client.compress(false).protocol(HttpProtocol.HTTP11).disableRetry(true))),
				new ClientInUse.Limits(connections.maxPerInstance(), null, connections.acquireTimeout(),
						connections.maxIdleTime(), connections.maxAge()),
				null, pool::dispose);
	}

	static ConnectionProvider pool(ConnectionSettings connections) {
		Duration idle = connections.maxIdleTime();
		return ConnectionProvider.builder("gateway-bench")
			.maxConnections(connections.maxPerInstance())
			.pendingAcquireMaxCount(-1)
			.pendingAcquireTimeout(connections.acquireTimeout())
			.maxIdleTime(idle)
			.maxLifeTime(connections.maxAge())
			.evictInBackground(idle)
			.lifo()
			.build();
	}

}
