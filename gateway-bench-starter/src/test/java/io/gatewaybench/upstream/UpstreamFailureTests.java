package io.gatewaybench.upstream;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class UpstreamFailureTests {

	@ParameterizedTest
	@MethodSource
	void theCauseTellsTheFailure(Throwable error, UpstreamFailure failure) {
		assertThat(UpstreamFailure.of(error)).isEqualTo(failure);
		assertThat(UpstreamFailure.of(new IllegalStateException(new IOException(error))))
			.isEqualTo((failure != null) ? failure : UpstreamFailure.BROKEN);
	}

	static Stream<Arguments> theCauseTellsTheFailure() {
		return Stream.of(arguments(new ConnectException(), UpstreamFailure.REFUSED),
				arguments(new RejectedExecutionException("Max requests queued per destination 1024 exceeded for x"),
						UpstreamFailure.NO_CONNECTION),
				arguments(new RejectedExecutionException("HttpClient is stopping"), null),
				arguments(new HttpConnectTimeoutException("x").initCause(new ConnectException()),
						UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new NoRouteToHostException(), UpstreamFailure.REFUSED),
				arguments(new UnknownHostException(), UpstreamFailure.REFUSED),
				arguments(new HttpConnectTimeoutException("x"), UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new ConnectTimeoutException(), UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new SocketTimeoutException("Connect timed out"), UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new SocketTimeoutException("Read timed out"), UpstreamFailure.RESPONSE_TIMEOUT),
				arguments(new SocketTimeoutException(), UpstreamFailure.RESPONSE_TIMEOUT),
				arguments(new HttpTimeoutException("x"), UpstreamFailure.RESPONSE_TIMEOUT),
				arguments(new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT, "x", new TimeoutException()),
						UpstreamFailure.RESPONSE_TIMEOUT),
				arguments(new AbortedException("Connection has been closed BEFORE send operation"),
						UpstreamFailure.REFUSED),
				arguments(new AbortedException("Connection has been closed"), UpstreamFailure.BROKEN),
				arguments(new ConnectionRequestTimeoutException(), UpstreamFailure.NO_CONNECTION),
				arguments(new SocketException("Connection reset"), UpstreamFailure.BROKEN),
				arguments(new EOFException(), UpstreamFailure.BROKEN),
				arguments(new UncheckedIOException(new IOException()), UpstreamFailure.BROKEN),
				arguments(new UpstreamException(UpstreamFailure.BODY_TIMEOUT, new IOException()),
						UpstreamFailure.BODY_TIMEOUT));
	}

	@Test
	void whatDoesNotComeFromTheNetworkIsNoFailureOfTheUpstream() {
		assertThat(UpstreamFailure.of(new IllegalArgumentException("x"))).isNull();
		assertThat(UpstreamFailure.of(new ResponseStatusException(HttpStatus.BAD_REQUEST))).isNull();
	}

	@Test
	void aCircleOfCausesEnds() {
		Exception first = new IllegalStateException();
		Exception second = new IllegalStateException(first);
		first.initCause(second);
		assertThat(UpstreamFailure.of(first)).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void theProblemTellsTheStatusAndNothingOfTheInside(UpstreamFailure failure) {
		assertThat(new String(failure.problem())).isEqualTo("{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
			.formatted(failure.status().getReasonPhrase(), failure.status().value(), failure.detail()));
		assertThat(failure.status()).isIn(HttpStatus.BAD_GATEWAY, HttpStatus.SERVICE_UNAVAILABLE,
				HttpStatus.GATEWAY_TIMEOUT);
		assertThat(failure.detail()).matches("[A-Z][a-z ]+\\.");
	}

	/**
	 * Named as that of Netty; the others as those of Reactor Netty and Apache's client.
	 */
	private static final class ConnectTimeoutException extends SocketTimeoutException {

	}

	private static final class AbortedException extends RuntimeException {

		AbortedException(String message) {
			super(message);
		}

	}

	private static final class ConnectionRequestTimeoutException extends IOException {

	}

}
