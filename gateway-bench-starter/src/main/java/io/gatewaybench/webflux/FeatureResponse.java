package io.gatewaybench.webflux;

import java.net.URI;
import java.util.function.Supplier;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.BodyRewriter;
import io.gatewaybench.rewrite.HeldBody;
import io.gatewaybench.rewrite.ResponseRules;
import io.gatewaybench.rewrite.RewriteOutcome;
import io.gatewaybench.upstream.UpstreamException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * Response whose body passes the rewriter, and that notices when the client leaves. What
 * is flushed piece by piece is a stream of events and is not rewritten.
 */
final class FeatureResponse extends ServerHttpResponseDecorator {

	/**
	 * The response of an address. Spring would take a reset for a client that left, and
	 * end the response as if it were whole.
	 */
	private static final BodyListener UNWATCHED = new BodyListener() {

		@Override
		public Throwable broke(Throwable error) {
			return UpstreamException.broken(error);
		}

	};

	private final ServerWebExchange exchange;

	private final String routeId;

	private final RouteFeatures features;

	private final FilterSettings settings;

	private final GatewayMetrics metrics;

	FeatureResponse(ServerWebExchange exchange, RouteFeatures features, FilterSettings settings,
			GatewayMetrics metrics) {
		super(exchange.getResponse());
		this.exchange = exchange;
		this.routeId = routeId(exchange);
		this.features = features;
		this.settings = settings;
		this.metrics = metrics;
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		if (isReplaced()) {
			return super.writeWith(body);
		}
		ResponseWatch upstream = ResponseWatch.of(this.exchange);
		Publisher<? extends DataBuffer> watched = watchUpstream(upstream, body);
		if (!isRewritten()) {
			return super.writeWith(watch(watched));
		}
		if (upstream != null) {
			upstream.hold();
		}
		return rewrite(watched);
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		if (isReplaced()) {
			return super.writeAndFlushWith(body);
		}
		FlushedBody flushed = new FlushedBody(watch(watchUpstream(ResponseWatch.of(this.exchange), body)));
		return super.writeAndFlushWith(flushed).doOnTerminate(flushed::abandon);
	}

	/**
	 * Whether a circuit breaker answers in place of the upstream. It sends the exchange
	 * to another route, which has a response of this kind for itself, or to a handler of
	 * the gateway.
	 */
	private boolean isReplaced() {
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

	private <T> Publisher<? extends T> watchUpstream(@Nullable ResponseWatch upstream, Publisher<? extends T> body) {
		return ((upstream != null) ? upstream : UNWATCHED).listenTo(body);
	}

	private <T> Publisher<? extends T> watch(Publisher<? extends T> body) {
		return this.features.has(Feature.METRICS) ? new BodyWatch(this.exchange).listenTo(body) : body;
	}

	private boolean isRewritten() {
		HttpStatusCode status = getStatusCode();
		return this.features.has(Feature.BODY_REWRITE) && !isCommitted() && ResponseRules
			.accepts(this.exchange.getRequest().getMethod(), (status != null) ? status.value() : 200, getHeaders());
	}

	private Mono<Void> rewrite(Publisher<? extends DataBuffer> body) {
		BodyRewriter rewriter = this.settings.bodyRewriter();
		DataBufferFactory factory = bufferFactory();
		Supplier<HeldBody<DataBuffer>> bodies = () -> rewriter.begin(new DataBufferChunks(factory));
		long length = getHeaders().getContentLength();
		if (length > 0 && length <= Math.min(rewriter.holdLimit(), Integer.MAX_VALUE)) {
			return super.writeWith(watch(
					new WholeBody(Flux.from(body), (int) length, bodies, this::adjustHeaders, this::count, factory)));
		}
		RewriteFlux rewritten = new RewriteFlux(Flux.from(body), bodies, this::adjustHeaders, this::count);
		return super.writeWith(watch(rewritten)).doOnTerminate(rewritten::abandon);
	}

	/**
	 * The response commits on the first signal of its body, so this comes in time. A
	 * length that the upstream told has made the gateway take off the chunked coding;
	 * without either the end of the connection would be the end of the body, and a client
	 * could not tell a whole one from a broken one.
	 */
	private void adjustHeaders(HeldBody<DataBuffer> body) {
		HttpHeaders headers = getHeaders();
		ResponseRules.adjust(headers, body);
		if (!headers.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
			headers.set(HttpHeaders.TRANSFER_ENCODING, "chunked");
		}
	}

	private void count(RewriteOutcome outcome) {
		this.metrics.rewrite(outcome.tag());
	}

}
