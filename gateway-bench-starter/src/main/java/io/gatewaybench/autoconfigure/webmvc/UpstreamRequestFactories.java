package io.gatewaybench.autoconfigure.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.SimpleClientHttpRequestFactoryBuilder;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Clients with the connect timeouts of the upstreams. A client has one such timeout, so
 * there are as many clients as there are different ones.
 */
final class UpstreamRequestFactories implements DisposableBean {

	private final Map<Duration, ClientHttpRequestFactory> byConnectTimeout = new HashMap<>();

	private final Duration readTimeout;

	UpstreamRequestFactories(Upstreams upstreams, TunedClient client, HttpClientSettings settings) {
		this.readTimeout = client.watchedReadTimeout(settings);
		Map<Duration, Duration> readTimeouts = new HashMap<>();
		upstreams.all()
			.stream()
			.map(Upstream::timeouts)
			.forEach((timeouts) -> readTimeouts.merge(timeouts.connect(), longest(timeouts.response(), timeouts.read()),
					UpstreamRequestFactories::longest));
		readTimeouts.forEach((connect, read) -> {
			HttpClientSettings timed = settings.withConnectTimeout(orNone(connect));
			this.byConnectTimeout.put(connect,
					client.client(isUnheeding(client) ? timed.withReadTimeout(orNone(read)) : timed));
		});
	}

	/**
	 * The JDK's older client ignores the interruption of a platform thread, and cannot be
	 * cancelled, so it gets a timeout too. That of the others would not be between two
	 * reads but for the whole exchange.
	 */
	private static boolean isUnheeding(TunedClient client) {
		return client.builder() instanceof SimpleClientHttpRequestFactoryBuilder;
	}

	private static Duration longest(Duration one, Duration other) {
		if (one.isZero() || other.isZero()) {
			return Duration.ZERO;
		}
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static @Nullable Duration orNone(Duration timeout) {
		return timeout.isZero() ? null : timeout;
	}

	/**
	 * How long the starter waits for bytes on a route without an upstream, in place of
	 * the client; zero if the client sees to it.
	 */
	Duration readTimeout() {
		return this.readTimeout;
	}

	Map<Duration, ClientHttpRequestFactory> byConnectTimeout() {
		return this.byConnectTimeout;
	}

	@Override
	public void destroy() throws Exception {
		for (ClientHttpRequestFactory factory : this.byConnectTimeout.values()) {
			if (factory instanceof DisposableBean disposable) {
				disposable.destroy();
			}
		}
	}

}
