package io.gatewaybench.internal.netty;

import java.time.Duration;
import java.util.regex.Pattern;

import reactor.netty.http.client.HttpClient;
import reactor.netty.http.logging.HttpMessageArgProvider;
import reactor.netty.http.logging.ReactorNettyHttpMessageLogFactory;
import reactor.netty.http.server.HttpServer;

/**
 * Sets up Reactor Netty for bodies that pass through.
 */
public final class TunedNetty {

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
