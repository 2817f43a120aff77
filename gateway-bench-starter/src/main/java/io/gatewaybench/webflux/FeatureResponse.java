package io.gatewaybench.webflux;

import java.net.URI;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.metrics.GatewayMetrics;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.factory.cache.LocalResponseCacheGatewayFilterFactory;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * Response whose body passes the rewriter, and that notices when the client leaves. What
 * is flushed piece by piece is a stream of events and is not rewritten.
 */
final class FeatureResponse extends ServerHttpResponseDecorator {

	private final ServerWebExchange exchange;

	private final String routeId;

	private final FilterSettings settings;

	private final GatewayMetrics metrics;

	FeatureResponse(ServerWebExchange exchange, FilterSettings settings, GatewayMetrics metrics) {
		super(exchange.getResponse());
		this.exchange = exchange;
		this.routeId = routeId(exchange);
		this.settings = settings;
		this.metrics = metrics;
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		if (isReplaced()) {
			return super.writeWith(body);
		}
		GatewayExchange state = ExchangeFilter.of(this.exchange);
		ProxiedBody proxied = begin(state);
		if (isCommitted() || !state.features().has(Feature.BODY_REWRITE)) {
			return super.writeWith(ResponseBody.of(body, proxied, getHeaders().getContentLength()));
		}
		RewriteRules rules = this.settings.rewriteRules();
		ServerHttpRequest request = this.exchange.getRequest();
		int status = status();
		if (rules.accepts(request.getMethod(), status, getHeaders())) {
			proxied.bodyHeld();
			return rewrite(body, proxied);
		}
		// A cache of the gateway has no connection, and its part stays one
		if (ExchangeConnection.of(this.exchange) != null && rules.isPart(request.getHeaders(), status, getHeaders())
				&& state.partCame() == Decision.SEND_AGAIN) {
			proxied.bodyDropped();
			return Mono.error(ResponseFilter.PART);
		}
		rules.adjustWithoutBody(request.getMethod(), status, request.getHeaders(), getHeaders());
		return super.writeWith(ResponseBody.of(body, proxied, getHeaders().getContentLength()));
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		if (isReplaced()) {
			return super.writeAndFlushWith(body);
		}
		FlushedBody flushed = new FlushedBody(ResponseBody.of(body, begin(ExchangeFilter.of(this.exchange)), -1));
		return super.writeAndFlushWith(flushed).doOnTerminate(flushed::abandon);
	}

	/**
	 * Whether something answers in place of the upstream: a filter of the route, or a
	 * circuit breaker. That sends the exchange to another route, which has a response of
	 * this kind for itself, or to a handler of the gateway. What a cache of the gateway
	 * answers is the upstream's.
	 */
	private boolean isReplaced() {
		if (this.exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR) == null && this.exchange
			.getAttribute(LocalResponseCacheGatewayFilterFactory.LOCAL_RESPONSE_CACHE_FILTER_APPLIED) == null) {
			return true;
		}
		if (!this.routeId.equals(routeId(this.exchange))) {
			return true;
		}
		URI url = this.exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		return url != null && (url.getScheme() == null || "forward".equalsIgnoreCase(url.getScheme()));
	}

	private static String routeId(ServerWebExchange exchange) {
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return route.getId();
	}

	private ProxiedBody begin(GatewayExchange state) {
		state.upstream().bodyOffered();
		return state.upstream().bodyBegins(ExchangeConnection.of(this.exchange));
	}

	private int status() {
		HttpStatusCode status = getStatusCode();
		return (status != null) ? status.value() : 200;
	}

	private Mono<Void> rewrite(Publisher<? extends DataBuffer> body, ProxiedBody proxied) {
		// What is held has to be let go, so it begins with the subscription
		return Mono.defer(() -> {
			long length = getHeaders().getContentLength();
			HeldBody<DataBuffer> held = this.settings.bodyRewriter()
				.begin(new DataBufferChunks(bufferFactory()), (length <= Integer.MAX_VALUE) ? length : -1);
			if (held.isWhole()) {
				return super.writeWith(new WholeBody(Flux.from(body), (int) length, proxied, held, this::adjustHeaders,
						this::count, bufferFactory()));
			}
			RewriteFlux rewritten = new RewriteFlux(Flux.from(body), proxied, held, this::adjustHeaders, this::count);
			return super.writeWith(rewritten).doOnTerminate(rewritten::abandon);
		});
	}

	/**
	 * The response commits on the first signal of its body, so this comes in time. A
	 * length that the upstream told has made the gateway take off the chunked coding;
	 * without either the end of the connection would be the end of the body, and a client
	 * could not tell a whole one from a broken one.
	 */
	private void adjustHeaders(HeldBody<DataBuffer> body) {
		HttpHeaders headers = getHeaders();
		RewriteRules.adjust(headers, body);
		if (!headers.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
			headers.set(HttpHeaders.TRANSFER_ENCODING, "chunked");
		}
	}

	private void count(RewriteOutcome outcome) {
		this.metrics.rewrite(outcome.tag());
	}

}
