package io.gatewaybench.webmvc;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.AbstractStreamingClientHttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.util.ClassUtils;

/**
 * Sends requests over HTTP/2 by Reactor Netty's client, whichever client the other
 * upstreams have: Apache's has no HTTP/2 of this kind, the JDK's and Spring's use of
 * Jetty's tell no trailers. The body is sent while the response comes.
 */
final class Http2RequestFactory implements ClientHttpRequestFactory, DisposableBean {

	private static final String CLIENT = "reactor.netty.http.client.HttpClient";

	private final ConnectionProvider pool;

	private final HttpClient client;

	/**
	 * Create the factory.
	 * @param connections limits of its connections
	 * @param connectTimeout time until a connection is there; zero waits for ever
	 * @param bundle certificates for {@code https}, {@code null} for what the JVM trusts
	 */
	Http2RequestFactory(ConnectionSettings connections, Duration connectTimeout, @Nullable SslBundle bundle) {
		this.pool = ReactorTuning.pool(connections);
		HttpClient created = HttpClient.create(this.pool)
			.disableRetry(true)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis());
		this.client = TunedNetty.http2(TunedNetty.client(created),
				(bundle != null) ? certificates(bundle) : SslContextBuilder.forClient());
	}

	private static SslContextBuilder certificates(SslBundle bundle) {
		SslOptions options = bundle.getOptions();
		return TunedNetty.certificates(bundle.getManagers().getKeyManagerFactory(),
				bundle.getManagers().getTrustManagerFactory(), SslOptions.asSet(options.getCiphers()),
				options.getEnabledProtocols());
	}

	/**
	 * Whether the client is on the class path.
	 */
	static boolean isPossible() {
		return ClassUtils.isPresent(CLIENT, Http2RequestFactory.class.getClassLoader());
	}

	@Override
	public ClientHttpRequest createRequest(URI uri, HttpMethod method) {
		return new AbstractStreamingClientHttpRequest() {

			@Override
			public HttpMethod getMethod() {
				return method;
			}

			@Override
			public URI getURI() {
				return uri;
			}

			@Override
			protected ClientHttpResponse executeInternal(HttpHeaders headers, @Nullable Body body) throws IOException {
				AtomicReference<Connection> responded = new AtomicReference<>();
				ClientHttpRequest request = factory(responded).createRequest(uri, method);
				request.getHeaders().putAll(headers);
				if (body != null) {
					((StreamingHttpOutputMessage) request).setBody((out) -> body.writeTo(new PromptStream(out)));
				}
				ClientHttpResponse head = request.execute();
				return new Http2Response(head, responded.get().inbound());
			}

		};
	}

	/**
	 * The client adds headers before Spring sets those of the request, and tells the
	 * trailers before the body has ended.
	 */
	private ReactorClientHttpRequestFactory factory(AtomicReference<Connection> responded) {
		Attempt attempt = Objects.requireNonNull(Attempt.ofThread(), "Requests over HTTP/2 belong to an attempt");
		attempt.mayHaveTrailers();
		ReactorClientHttpRequestFactory ofAttempt = new ReactorClientHttpRequestFactory(
				this.client.doOnRequest((request, connection) -> {
					request.requestHeaders().remove(HttpHeaderNames.USER_AGENT).remove(HttpHeaderNames.ACCEPT);
					attempt.cancelBy(() -> connection.channel().close());
				}).doOnResponse((response, connection) -> {
					responded.set(connection);
					response.trailerHeaders().subscribe((trailers) -> attempt.trailers(map(trailers)));
				}));
		ofAttempt.setExecutor(attempt::sendMeanwhile);
		return ofAttempt;
	}

	private static Map<String, String> map(io.netty.handler.codec.http.HttpHeaders trailers) {
		Map<String, String> map = new LinkedHashMap<>();
		trailers.forEach((trailer) -> map.merge(trailer.getKey(), trailer.getValue(), (one, next) -> one + "," + next));
		return map;
	}

	@Override
	public void destroy() {
		this.pool.dispose();
	}

}
