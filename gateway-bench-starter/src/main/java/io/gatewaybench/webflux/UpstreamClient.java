package io.gatewaybench.webflux;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeoutException;

import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;

/**
 * Sets up the gateway's client, and closes its pool with the application. The gateway
 * leaves the pool open, and its eviction would go on with threads that have ended.
 */
final class UpstreamClient implements HttpClientCustomizer, Ordered, SmartLifecycle {

	/**
	 * The server stops before, with the requests that use the pool. The threads that
	 * close its connections stop later.
	 * @see org.springframework.http.client.ReactorResourceFactory#getPhase()
	 */
	private static final int PHASE = 2;

	private final Set<ConnectionProvider> pools = new CopyOnWriteArraySet<>();

	/**
	 * A {@link TimeoutException} before there is a connection tells that none became free
	 * in time. The time to connect ends with an {@link java.io.IOException}.
	 */
	@Override
	public HttpClient customize(HttpClient client) {
		this.pools.add(client.configuration().connectionProvider());
		return TunedNetty.client(client)
			.doOnRequest(Attempt::sent)
			.mapConnect((connection) -> connection.onErrorMap(TimeoutException.class,
					(ex) -> new UpstreamException(UpstreamFailure.NO_CONNECTION, ex)));
	}

	/**
	 * Customizers of the application come after this one.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * A pool opens connections again when requests need them.
	 */
	@Override
	public void start() {
	}

	@Override
	public void stop() {
		this.pools.forEach(ConnectionProvider::dispose);
	}

	@Override
	public boolean isRunning() {
		return !this.pools.stream().allMatch(ConnectionProvider::isDisposed);
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
