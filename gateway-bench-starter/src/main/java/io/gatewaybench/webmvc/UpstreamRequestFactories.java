package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.SimpleClientHttpRequestFactoryBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Clients with the connect timeouts, the certificates and the protocol of the upstreams.
 * A client has one of each, so there are as many clients as there are different ones.
 */
final class UpstreamRequestFactories implements DisposableBean {

	private final Map<ConnectSettings, ClientHttpRequestFactory> byConnectSettings = new HashMap<>();

	private final Duration readTimeout;

	UpstreamRequestFactories(Upstreams upstreams, TunedClient client, HttpClientSettings settings,
			ConnectionSettings connections, Function<String, SslBundle> bundles) {
		this.readTimeout = client.watchedReadTimeout(settings);
		Map<ConnectSettings, Duration> readTimeouts = new HashMap<>();
		for (Upstream upstream : upstreams.all()) {
			if (upstream.connect().http2() && !Http2RequestFactory.isPossible()) {
				throw noHttp2(upstream, "On WebMVC, only Reactor Netty's client speaks HTTP/2. Add"
						+ " io.projectreactor.netty:reactor-netty-http to the class path; other upstreams keep their client.");
			}
			readTimeouts.merge(upstream.connect(), longest(upstream.timeouts().response(), upstream.timeouts().read()),
					UpstreamRequestFactories::longest);
		}
		readTimeouts.forEach((connect, read) -> {
			HttpClientSettings timed = settings.withConnectTimeout(orNone(connect.timeout()));
			String bundle = connect.sslBundle();
			HttpClientSettings secured = (bundle != null) ? timed.withSslBundle(bundles.apply(bundle)) : timed;
			this.byConnectSettings.put(connect,
					connect.http2() ? new Http2RequestFactory(connections, connect.timeout(), secured.sslBundle())
							: client.client(isUnheeding(client) ? secured.withReadTimeout(orNone(read)) : secured));
		});
	}

	static InvalidConfigurationPropertyValueException noHttp2(Upstream upstream, String reason) {
		return new InvalidConfigurationPropertyValueException(
				"gateway-bench.upstreams." + upstream.name() + ".protocol", "http2", reason);
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
