package io.gatewaybench.webflux;

import java.util.Collection;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Tells the client that its upstream failed.
 */
final class UpstreamErrorHandler implements WebExceptionHandler, Ordered {

	/**
	 * Before the error page of Spring Boot (-1).
	 */
	@Override
	public int getOrder() {
		return -2;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (!(error instanceof UpstreamException exception)) {
			return Mono.error(error);
		}
		if (response.isCommitted()) {
			return breakOff(exchange, withoutCause(exception));
		}
		Collection<String> ofUpstream = exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_HEADER_NAMES);
		if (ofUpstream != null) {
			ofUpstream.forEach(response.getHeaders()::remove);
		}
		return answer(response, exception.failure(), exception.failure().retryAfter());
	}

	/**
	 * Answer in place of the upstream.
	 * @param retryAfter seconds after which the client may try again, {@code null} if
	 * nobody knows
	 */
	static Mono<Void> answer(ServerHttpResponse response, UpstreamFailure failure, @Nullable String retryAfter) {
		byte[] problem = failure.problem();
		response.setStatusCode(failure.status());
		response.getHeaders().remove(HttpHeaders.TRANSFER_ENCODING);
		response.getHeaders().setContentType(MediaType.parseMediaType(UpstreamFailure.PROBLEM_TYPE));
		response.getHeaders().setContentLength(problem.length);
		if (retryAfter != null) {
			response.getHeaders().set(HttpHeaders.RETRY_AFTER, retryAfter);
		}
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(problem)));
	}

	/**
	 * Spring would log the whole URL at ERROR before it lets the server break off.
	 */
	private static Mono<Void> breakOff(ServerWebExchange exchange, UpstreamException exception) {
		if (!(ServerHttpRequestDecorator
			.getNativeRequest(exchange.getRequest()) instanceof ChannelOperations<?, ?> netty)) {
			return Mono.error(exception);
		}
		ServerRequestObservationContext.findCurrent(exchange.getAttributes())
			.ifPresent((context) -> context.setError(exception));
		netty.onError(exception);
		return Mono.empty();
	}

	/**
	 * Spring takes a reset connection for a client that left, wherever it finds one among
	 * the causes, and then ends the response as if it were whole. The exception itself
	 * has the whole URL in what Reactor adds to its stack trace.
	 */
	private static UpstreamException withoutCause(UpstreamException exception) {
		UpstreamException alone = new UpstreamException(exception.failure(), null);
		if (exception.getCause() != null) {
			alone.addSuppressed(exception.getCause());
		}
		return alone;
	}

}
