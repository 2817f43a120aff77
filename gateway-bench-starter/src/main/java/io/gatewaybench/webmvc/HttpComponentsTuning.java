package io.gatewaybench.webmvc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.internal.upstream.ConnectionSettings;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;

/**
 * Apache's client for a gateway.
 */
final class HttpComponentsTuning {

	/**
	 * To look whether a connection is still open takes a millisecond of waiting for
	 * nothing, too long to do it before every request.
	 */
	private static final Duration CHECKED_AFTER = Duration.ofSeconds(1);

	/**
	 * How long the client would wait for bytes.
	 */
	static final Duration READ_TIMEOUT = SocketConfig.DEFAULT.getSoTimeout().toDuration();

	/**
	 * By itself the client makes question marks of the bytes from 0x80 to 0x9F. Trailers
	 * need it; heads have their own writer.
	 */
	private static final CharCodingConfig BYTES_AS_SENT = CharCodingConfig.custom()
		.setCharset(StandardCharsets.ISO_8859_1)
		.build();

	private HttpComponentsTuning() {
	}

	static HttpComponentsClientHttpRequestFactoryBuilder tune(HttpComponentsClientHttpRequestFactoryBuilder builder,
			ConnectionSettings connections, int maxHeadSize) {
		return builder.withHttpClientCustomizer((client) -> passOn(client, connections))
			.withConnectionManagerCustomizer((manager) -> limit(manager, connections, maxHeadSize))
			.withSocketConfigCustomizer(HttpComponentsTuning::leaveTimeoutsToTheTimer)
			.withConnectionConfigCustomizer((connection) -> check(connection, connections))
			.withDefaultRequestConfigCustomizer((request) -> limit(request, connections));
	}

	static ClientHttpRequestFactory forAnyMethod(ClientHttpRequestFactory factory) {
		return (factory instanceof HttpComponentsClientHttpRequestFactory apache) ? new AnyMethodRequestFactory(apache)
				: factory;
	}

	private static void passOn(HttpClientBuilder client, ConnectionSettings connections) {
		client.disableContentCompression()
			.disableCookieManagement()
			.disableAuthCaching()
			.disableAutomaticRetries()
			.disableConnectionState()
			.disableDefaultUserAgent()
			.setRequestExecutor(new DuplexExecutor())
			.setConnectionReuseStrategy((request, response, context) -> DuplexExecutor.isSent(context)
					&& DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context))
			.addRequestInterceptorFirst(HttpComponentsTuning::typeOptions)
			.addRequestInterceptorLast(HttpComponentsTuning::sendAsTold)
			.addExecInterceptorFirst("gateway-bench-timeouts", HttpComponentsTuning::cancelOnTimeout)
			.addExecInterceptorBefore(ChainElement.CONNECT.name(), "gateway-bench-stale-connections",
					new StaleConnections())
			.evictExpiredConnections()
			.evictIdleConnections(time(connections.maxIdleTime()));
	}

	/**
	 * The client refuses to send OPTIONS with content of no type. RFC 9110, 9.3.7 asks
	 * for one.
	 */
	private static void typeOptions(HttpRequest request, @Nullable EntityDetails entity, HttpContext context) {
		if (entity != null && Method.OPTIONS.isSame(request.getMethod())
				&& !request.containsHeader(HttpHeaders.CONTENT_TYPE)) {
			request.setHeader(HttpHeaders.CONTENT_TYPE, ContentType.APPLICATION_OCTET_STREAM);
		}
	}

	/**
	 * The client adds a length of 0 where there is no body, and {@code Connection}, and
	 * Spring makes one line of several cookies.
	 */
	private static void sendAsTold(HttpRequest request, @Nullable EntityDetails entity, HttpContext context) {
		Attempt attempt = Attempt.ofThread();
		if (attempt == null) {
			return;
		}
		org.springframework.http.HttpHeaders told = attempt.headers();
		tell(request, told, HttpHeaders.CONNECTION);
		tell(request, told, HttpHeaders.COOKIE);
		if (entity == null || entity.getContentLength() == 0) {
			((ClassicHttpRequest) request).setEntity(null);
			tell(request, told, HttpHeaders.CONTENT_LENGTH);
			tell(request, told, HttpHeaders.CONTENT_TYPE);
		}
	}

	private static void tell(HttpRequest request, org.springframework.http.HttpHeaders told, String name) {
		List<String> values = told.getOrEmpty(name);
		if (values.isEmpty()) {
			request.removeHeaders(name);
		}
		else if (values.size() != 1 || request.countHeaders(name) != 1) {
			request.removeHeaders(name);
			values.forEach((value) -> request.addHeader(name, value));
		}
	}

	/**
	 * A platform thread that reads from a socket ignores its interruption.
	 */
	private static ClassicHttpResponse cancelOnTimeout(ClassicHttpRequest request, ExecChain.Scope scope,
			ExecChain chain) throws IOException, HttpException {
		if (scope.originalRequest instanceof Cancellable cancellable) {
			Attempt.cancelOnTimeout(cancellable::cancel);
		}
		return chain.proceed(request, scope);
	}

	private static void limit(PoolingHttpClientConnectionManagerBuilder manager, ConnectionSettings connections,
			int maxHeadSize) {
		manager.setMaxConnPerRoute(connections.maxPerInstance())
			.setMaxConnTotal(connections.maxTotal())
			.setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
				.charCodingConfig(BYTES_AS_SENT)
				.requestWriterFactory(RequestHeads::new)
				.responseParserFactory((config) -> new StrictResponseParser(maxHeadSize))
				.build());
	}

	/**
	 * A read that may time out makes a virtual thread start a timer, for which the JDK
	 * wakes a thread of the system up, each time.
	 * @see <a href="https://bugs.openjdk.org/browse/JDK-8351927">JDK-8351927</a>
	 */
	private static void leaveTimeoutsToTheTimer(SocketConfig.Builder socket) {
		socket.setSoTimeout(Timeout.DISABLED);
	}

	private static void check(ConnectionConfig.Builder connection, ConnectionSettings connections) {
		connection.setValidateAfterInactivity(time(CHECKED_AFTER)).setTimeToLive(time(connections.maxAge()));
	}

	private static void limit(RequestConfig.Builder request, ConnectionSettings connections) {
		request.setConnectionRequestTimeout(Timeout.of(connections.acquireTimeout()))
			// Where the upstream does not tell in its Keep-Alive header
			.setConnectionKeepAlive(time(connections.maxIdleTime()))
			.setAuthenticationEnabled(false)
			.setProtocolUpgradeEnabled(false);
	}

	private static TimeValue time(Duration duration) {
		return TimeValue.of(duration.toMillis(), TimeUnit.MILLISECONDS);
	}

}
