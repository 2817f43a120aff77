package io.gatewaybench.internal.netty;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.logging.HttpMessageArgProvider;
import reactor.netty.http.logging.ReactorNettyHttpMessageLogFactory;
import reactor.netty.http.server.HttpServer;

/**
 * Sets up Reactor Netty for bodies that pass through.
 */
public final class TunedNetty {

	/**
	 * Set on a connection of the client while it has a request for a WebSocket.
	 */
	public static final AttributeKey<Boolean> WEB_SOCKET = AttributeKey.valueOf("gateway-bench-web-socket");

	private static final ApplicationProtocolConfig HTTP2_ALONE = new ApplicationProtocolConfig(Protocol.ALPN,
			SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
			ApplicationProtocolNames.HTTP_2);

	private TunedNetty() {
	}

	/**
	 * Keeps the memory of connections in a pool where that is better, and leaves in one
	 * piece what was read at once. Drops interim responses. A response that breaks the
	 * protocol is a failure of the upstream. A new connection is spared the reads of a
	 * closed one.
	 * @param client the client
	 * @return the client for a gateway
	 */
	public static HttpClient client(HttpClient client) {
		return StaleReadEvents.of(StrictResponses.of(WholeReads.of(PooledMemory.of(client))));
	}

	/**
	 * Speaks HTTP/2 alone: agreed on in the handshake with {@code https}, known
	 * beforehand with {@code http}.
	 * @param client the client
	 * @param certificates whom it trusts, and what it shows
	 * @return the client for upstreams of HTTP/2
	 */
	public static HttpClient http2(HttpClient client, SslContextBuilder certificates) {
		SslContext context = context(certificates.applicationProtocolConfig(HTTP2_ALONE));
		return Http2Streams.of(client)
			.protocol(HttpProtocol.H2, HttpProtocol.H2C)
			.secure((spec) -> spec.sslContext(context).handlerConfigurator(TunedNetty::requireHttp2));
	}

	/**
	 * An upstream that knows of no agreement would get HTTP/2 all the same.
	 */
	private static void requireHttp2(SslHandler handler) {
		handler.handshakeFuture().addListener((handshake) -> {
			if (handshake.isSuccess() && !ApplicationProtocolNames.HTTP_2.equals(handler.applicationProtocol())) {
				Channel connection = (Channel) handshake.getNow();
				connection.pipeline().fireExceptionCaught(new SSLHandshakeException("The upstream has no HTTP/2"));
				connection.close();
			}
		});
	}

	/**
	 * Finish the certificates of a client.
	 * @param certificates whom it trusts, and what it shows
	 * @return what it needs for {@code https}
	 */
	public static SslContext context(SslContextBuilder certificates) {
		try {
			return certificates.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("The SSL bundle can't be used: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Begin with the certificates of a client.
	 * @param keys what it shows
	 * @param trust whom it trusts
	 * @param ciphers names of the ciphers, {@code null} for the usual ones
	 * @param protocols versions of TLS, {@code null} for the usual ones
	 * @return the certificates
	 */
	public static SslContextBuilder certificates(KeyManagerFactory keys, TrustManagerFactory trust,
			@Nullable Set<String> ciphers, String @Nullable [] protocols) {
		return SslContextBuilder.forClient()
			.keyManager(keys)
			.trustManager(trust)
			.ciphers(ciphers)
			.protocols(protocols)
			// Otherwise any certificate of a trusted authority would do
			.endpointIdentificationAlgorithm("HTTPS");
	}

	/**
	 * Keeps the memory of connections in a pool where that is better. Accepts all clients
	 * that wait. A client gets its response to the end although the server does not want
	 * the rest of its request. Requests that a client sends at once are answered one by
	 * one. One with a body is answered over HTTP/1.1. A client of HTTP/1.0 gets no
	 * chunks. Compresses only what may be, in a coding that the client accepts. Logs no
	 * control characters of requests. The head of a request has to come in time.
	 * @param server the server
	 * @param headTimeout time from the first byte of a head to its last one; zero for no
	 * limit
	 * @return the server for a gateway
	 */
	public static HttpServer server(HttpServer server, Duration headTimeout) {
		HttpServer timed = HeadTimeout.of(CodedResponses.of(server), headTimeout);
		return LingeringClose.of(PipelinedRequests.of(UpgradesWithBody.of(AcceptQueue.of(PooledMemory.of(timed)))))
			.httpMessageLogFactory(new PrintableRequests());
	}

	/**
	 * Lets clients cancel streams of HTTP/2. What sets other settings of HTTP/2 has to
	 * come before, as it would forget this one.
	 * @param server the server
	 * @param most how many streams of a connection may be cancelled within 10 seconds
	 * @return the server for connections that many users share
	 */
	public static HttpServer cancelledStreams(HttpServer server, int most) {
		return CancelledStreams.of(server, most);
	}

	/**
	 * Requests that could not be read, for the log.
	 */
	private static final class PrintableRequests extends ReactorNettyHttpMessageLogFactory {

		private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009f&&[^\\r\\n\\t]]");

		@Override
		public String common(HttpMessageArgProvider request) {
			return CONTROL.matcher(super.common(request)).replaceAll("?");
		}

	}

}
