package io.gatewaybench.upstream;

import java.io.EOFException;
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
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.eclipse.jetty.client.HttpResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.netty.channel.AbortedException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
				arguments(new SocketException("Network is unreachable"), UpstreamFailure.REFUSED),
				arguments(new BindException("Cannot assign requested address"), UpstreamFailure.REFUSED),
				arguments(new RejectedExecutionException("Max requests queued per destination 1024 exceeded for x"),
						UpstreamFailure.NO_CONNECTION),
				arguments(new RejectedExecutionException("HttpClient is stopping"), null),
				arguments(new HttpConnectTimeoutException("x").initCause(new ConnectException()),
						UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new NoRouteToHostException(), UpstreamFailure.REFUSED),
				arguments(new UnknownHostException(), UpstreamFailure.REFUSED),
				arguments(new HttpConnectTimeoutException("x"), UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new ConnectTimeoutException("x"), UpstreamFailure.CONNECT_TIMEOUT),
				arguments(new org.apache.hc.client5.http.ConnectTimeoutException("x"), UpstreamFailure.CONNECT_TIMEOUT),
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
				arguments(new PoolAcquireTimeoutException(Duration.ofSeconds(1)), UpstreamFailure.NO_CONNECTION),
				arguments(new PoolAcquirePendingLimitException(1), UpstreamFailure.NO_CONNECTION),
				arguments(ReadTimeoutException.INSTANCE, UpstreamFailure.RESPONSE_TIMEOUT),
				arguments(new DecoderException(), UpstreamFailure.BROKEN),
				arguments(Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "x"), UpstreamFailure.BROKEN),
				arguments(Http2Exception.streamError(1, Http2Error.REFUSED_STREAM, "x"), UpstreamFailure.BROKEN),
				arguments(new HttpResponseException("x", null), UpstreamFailure.BROKEN),
				arguments(new SSLHandshakeException("x"), UpstreamFailure.REFUSED),
				arguments(new SslHandshakeTimeoutException("x"), UpstreamFailure.REFUSED),
				arguments(new SocketException("Connection reset"), UpstreamFailure.BROKEN),
				arguments(new EOFException(), UpstreamFailure.BROKEN),
				arguments(new UncheckedIOException(new IOException()), UpstreamFailure.BROKEN),
				arguments(new UpstreamException(UpstreamFailure.BODY_TIMEOUT, new IOException()),
						UpstreamFailure.BODY_TIMEOUT));
	}

	@Test
	void whatDoesNotComeFromTheNetworkIsNoFailureOfTheUpstream() {
		assertThatThrownBy(() -> new DefaultHttpHeaders().set("X", "a\nb"))
			.satisfies((error) -> assertThat(UpstreamFailure.of(error)).isNull());
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
		if (failure == UpstreamFailure.BODY_READ_BEFORE) {
			assertThat(failure.status()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
		}
		else if (failure == UpstreamFailure.RATE_LIMITED) {
			assertThat(failure.status()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
		}
		else {
			assertThat(failure.status()).isIn(HttpStatus.BAD_GATEWAY, HttpStatus.SERVICE_UNAVAILABLE,
					HttpStatus.GATEWAY_TIMEOUT);
		}
		assertThat(failure.detail()).matches("[A-Z][a-z ]+\\.");
	}

}
