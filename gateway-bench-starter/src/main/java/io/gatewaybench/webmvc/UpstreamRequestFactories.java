package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.SimpleClientHttpRequestFactoryBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Clients with the connect timeouts and the certificates of the upstreams. A client has
 * one of each, so there are as many clients as there are different ones.
 */
final class UpstreamRequestFactories implements DisposableBean {

	private final Map<ConnectSettings, ClientHttpRequestFactory> byConnectSettings = new HashMap<>();

	private final Duration readTimeout;

	UpstreamRequestFactories(Upstreams upstreams, TunedClient client, HttpClientSettings settings,
			Function<String, SslBundle> bundles) {
		this.readTimeout = client.watchedReadTimeout(settings);
		Map<ConnectSettings, Duration> readTimeouts = new HashMap<>();
		for (Upstream upstream : upstreams.all()) {
			readTimeouts.merge(upstream.connect(), longest(upstream.timeouts().response(), upstream.timeouts().read()),
					UpstreamRequestFactories::longest);
		}
		readTimeouts.forEach((connect, read) -> {
			HttpClientSettings timed = settings.withConnectTimeout(orNone(connect.timeout()));
			String bundle = connect.sslBundle();
			HttpClientSettings secured = (bundle != null) ? timed.withSslBundle(bundles.apply(bundle)) : timed;
			this.byConnectSettings.put(connect,
					client.client(isUnheeding(client) ? secured.withReadTimeout(orNone(read)) : secured));
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

	Map<ConnectSettings, ClientHttpRequestFactory> byConnectSettings() {
		return this.byConnectSettings;
	}

	@Override
	public void destroy() throws Exception {
		for (ClientHttpRequestFactory factory : this.byConnectSettings.values()) {
			if (factory instanceof DisposableBean disposable) {
				disposable.destroy();
			}
		}
	}

}
