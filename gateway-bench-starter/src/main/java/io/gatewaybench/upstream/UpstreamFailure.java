package io.gatewaybench.upstream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLHandshakeException;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * How an attempt on an instance failed, whatever client library made it. Each failure has
 * one status and one body, the same on both flavours.
 *
 * @since 0.1.0
 */
public enum UpstreamFailure {

	/**
	 * There is no instance that the request could go to.
	 */
	NO_INSTANCE(HttpStatus.SERVICE_UNAVAILABLE, "There is no instance for this request."),

	/**
	 * No connection became free in time, which is no fault of the instance.
	 */
	NO_CONNECTION(HttpStatus.SERVICE_UNAVAILABLE, "No connection to the upstream became free in time."),

	/**
	 * The upstream has as many requests as it may have at a time, and none ended in time.
	 */
	OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, "The upstream has too many requests."),

	/**
	 * The client has sent more requests than it may. No exception tells of it, as that
	 * would count against the upstream where there is a circuit breaker.
	 */
	RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS, "The client has sent too many requests."),

	/**
	 * The instance refused the connection or could not be reached.
	 */
	REFUSED(HttpStatus.BAD_GATEWAY, "The upstream could not be reached."),

	/**
	 * The instance did not accept the connection in time.
	 */
	CONNECT_TIMEOUT(HttpStatus.GATEWAY_TIMEOUT, "The upstream did not accept the connection in time."),

	/**
	 * The response did not begin in time.
	 */
	RESPONSE_TIMEOUT(HttpStatus.GATEWAY_TIMEOUT, "The upstream did not answer in time."),

	/**
	 * The response paused for too long.
	 */
	BODY_TIMEOUT(HttpStatus.GATEWAY_TIMEOUT, "The upstream did not go on with its response in time."),

	/**
	 * Something in front of the gateway has read the body of the request, so it cannot be
	 * sent.
	 */
	BODY_READ_BEFORE(HttpStatus.INTERNAL_SERVER_ERROR,
			"Something in front of the gateway has read the body of the request."),

	/**
	 * The connection was reset or closed before the response was complete, or what came
	 * was not a response.
	 */
	BROKEN(HttpStatus.BAD_GATEWAY, "The upstream broke off or did not answer with a response."),

	/**
	 * A connection that had served requests before was closed before the response began.
	 * An instance that restarts closes all of them, which is no fault of it. Whether it
	 * has got the request is not known.
	 */
	CONNECTION_CLOSED(HttpStatus.BAD_GATEWAY, "The upstream closed the connection."),

	/**
	 * The instance has told over HTTP/2 that it did nothing with the request (RFC 9113,
	 * section 8.7): it has as many streams as it takes, or is about to close the
	 * connection. Neither is a fault of it.
	 */
	NOT_PROCESSED(HttpStatus.SERVICE_UNAVAILABLE, "The upstream did not take the request."),

	/**
	 * The response did not begin within the time that the client itself has allowed,
	 * which is no fault of the instance.
	 */
	CLIENT_DEADLINE(HttpStatus.GATEWAY_TIMEOUT, "The upstream did not answer before the deadline of the client.");

	/**
	 * Content type of {@link #problem()}.
	 */
	public static final String PROBLEM_TYPE = "application/problem+json";

	private static final int MAX_CAUSES = 16;

	private final HttpStatus status;

	private final String detail;

	private final byte[] problem;

	UpstreamFailure(HttpStatus status, String detail) {
		this.status = status;
		this.detail = detail;
		this.problem = "{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
			.formatted(status.getReasonPhrase(), status.value(), detail)
			.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Status that the client sees.
	 * @return 429, 500, 502, 503 or 504
	 */
	public HttpStatus status() {
		return this.status;
	}

	String detail() {
		return this.detail;
	}

	/**
	 * Body that the client sees: problem details without anything of the gateway's inside
	 * in them.
	 * @return the bytes, in UTF-8; the caller's own
	 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
	 */
	public byte[] problem() {
		return this.problem.clone();
	}

	/**
	 * When the client may try again, as {@code Retry-After} tells it.
	 * @return seconds, {@code null} if nobody knows
	 */
	public @Nullable String retryAfter() {
		return (this == OVERLOADED) ? "1" : null;
	}

	/**
	 * Whether the instance is known to have done nothing with the request, so that
	 * sending it to another one repeats nothing.
	 * @return whether nothing was done
	 */
	public boolean isBeforeSending() {
		return this == REFUSED || this == CONNECT_TIMEOUT || this == NO_CONNECTION || this == NOT_PROCESSED;
	}

	/**
	 * Whether the instance is to blame.
	 */
	boolean isFaultOfInstance() {
		return this != NO_INSTANCE && this != OVERLOADED && this != RATE_LIMITED && this != NO_CONNECTION
				&& this != BODY_READ_BEFORE && this != CONNECTION_CLOSED && this != NOT_PROCESSED
				&& this != CLIENT_DEADLINE;
	}

	/**
	 * Tell from an exception of a client how the attempt failed. The types of client
	 * libraries are told by their full names, as none of them needs to be there.
	 * @param error what the client threw
	 * @return the failure, or {@code null} if the exception does not come from talking to
	 * an instance
	 */
	public static @Nullable UpstreamFailure of(Throwable error) {
		UpstreamFailure failure = null;
		Throwable cause = error;
		for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
			UpstreamFailure known = classify(cause);
			if (known != null && known != BROKEN) {
				return known;
			}
			failure = (known != null) ? known : failure;
			cause = cause.getCause();
		}
		return failure;
	}

	private static @Nullable UpstreamFailure classify(Throwable error) {
		if (error instanceof UpstreamException known) {
			return known.failure();
		}
		switch (error.getClass().getName()) {
			case "reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException",
					"reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException",
					"org.apache.hc.core5.http.ConnectionRequestTimeoutException" -> {
				return NO_CONNECTION;
			}
			case "java.util.concurrent.RejectedExecutionException" -> {
				// That of Jetty's client, when too many requests wait for a connection
				return String.valueOf(error.getMessage()).startsWith("Max requests queued") ? NO_CONNECTION : null;
			}
			case "io.netty.channel.ConnectTimeoutException", "org.apache.hc.client5.http.ConnectTimeoutException" -> {
				return CONNECT_TIMEOUT;
			}
			case "reactor.netty.channel.AbortedException" -> {
				// Reactor Netty found a pooled connection closed, before or after it was
				// used
				return String.valueOf(error.getMessage()).contains("BEFORE send") ? REFUSED : BROKEN;
			}
			case "io.netty.handler.timeout.ReadTimeoutException" -> {
				return RESPONSE_TIMEOUT;
			}
			// What came was not a response
			case "io.netty.handler.codec.DecoderException", "io.netty.handler.codec.http2.Http2Exception",
					"io.netty.handler.codec.http2.Http2Exception$StreamException",
					"org.eclipse.jetty.client.HttpResponseException" -> {
				return BROKEN;
			}
			default -> {
				return classifyByType(error);
			}
		}
	}

	private static @Nullable UpstreamFailure classifyByType(Throwable error) {
		if (error instanceof HttpConnectTimeoutException || (error instanceof SocketTimeoutException
				&& String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT).startsWith("connect"))) {
			return CONNECT_TIMEOUT;
		}
		if (error instanceof HttpTimeoutException || error instanceof SocketTimeoutException
				|| error instanceof TimeoutException) {
			return RESPONSE_TIMEOUT;
		}
		if (error instanceof ConnectException || error instanceof UnknownHostException
				|| error instanceof SSLHandshakeException || error instanceof NoRouteToHostException
				|| error instanceof UnresolvedAddressException || isUnconnected(error)) {
			return REFUSED;
		}
		return (error instanceof IOException || error instanceof UncheckedIOException) ? BROKEN : null;
	}

	/**
	 * No local port is left, or no network leads there. For the latter the JDK has no
	 * exception of its own.
	 */
	private static boolean isUnconnected(Throwable error) {
		return error instanceof BindException
				|| (error instanceof SocketException && "Network is unreachable".equals(error.getMessage()));
	}

}
