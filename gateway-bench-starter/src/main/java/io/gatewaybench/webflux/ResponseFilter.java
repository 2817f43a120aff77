package io.gatewaybench.webflux;

import java.util.function.Function;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.UpstreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells the exchange its route, and decorates the response with the features of that
 * route.
 */
final class ResponseFilter implements GlobalFilter, Ordered {

	/**
	 * Outside the gateway's response caches (-4 and -3), so that what they keep is the
	 * body of the upstream and not a field that belongs to one response.
	 */
	static final int ORDER = -10;

	/**
	 * Key in the metadata of a route of the starter.
	 */
	static final String ROUTE_METADATA = "gateway-bench";

	/**
	 * How a response ends of which the client gets the whole body and not this part.
	 */
	static final RuntimeException PART = new PartOfBody();

	private final FilterSettings settings;

	private final String basePath;

	private final GatewayMetrics metrics;

	/**
	 * Create the filter.
	 * @param settings how the features work
	 * @param basePath path of the application, with which the patterns of its routes
	 * begin; empty if it has none
	 * @param metrics what counts responses that are rewritten
	 */
	ResponseFilter(FilterSettings settings, String basePath, GatewayMetrics metrics) {
		this.settings = settings;
		this.basePath = basePath;
		this.metrics = metrics;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		RouteFeatures features = route(exchange);
		if (!ExchangeFilter.of(exchange).applies()) {
			return chain.filter(exchange);
		}
		ServerHttpRequest request = ClientRequest.withOwnPath(exchange, this.basePath);
		int refusal = this.settings.requestRules()
			.onRoute(request.getMethod().name(), request.getPath().value(), pattern(exchange));
		if (refusal != RequestRules.PASS) {
			return ClientRequest.answer(exchange.getResponse(), refusal);
		}
		ServerWebExchange decorated = exchange.mutate()
			.request(request)
			.response(new FeatureResponse(exchange, this.settings, this.metrics))
			.build();
		Mono<Void> answer = chain.filter(decorated);
		return features.has(Feature.BODY_REWRITE) ? answer.onErrorResume(resend(decorated, chain)) : answer;
	}

	/**
	 * Metadata of native routes is the user's own, whatever its keys and types.
	 */
	private RouteFeatures route(ServerWebExchange exchange) {
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		GatewayExchange state = ExchangeFilter.toRoute(exchange);
		if (route.getMetadata().get(ROUTE_METADATA) instanceof RouteFeatures declared) {
			state.declare(declared);
		}
		RouteFeatures features = state.route(route.getId(), route.getUri(), this.settings.scope());
		if (state.isToBeObserved()) {
			state.outcome()
				.observe(state.routeId(),
						ServerRequestObservationContext.findCurrent(exchange.getAttributes()).orElse(null));
		}
		return features;
	}

	/**
	 * Another route may have had the path, and not the rest.
	 */
	private static @Nullable String pattern(ServerWebExchange exchange) {
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return route.getId()
			.equals(exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_PREDICATE_MATCHED_PATH_ROUTE_ID_ATTR))
					? exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_PREDICATE_MATCHED_PATH_ATTR) : null;
	}

	/**
	 * A body that is held can break off after the attempts of {@link UpstreamFilter} have
	 * ended well, and one can turn out to be a part. Filters in between may have changed
	 * the headers of the response. They have to change the next response, too.
	 */
	private static Function<Throwable, Mono<Void>> resend(ServerWebExchange exchange, GatewayFilterChain chain) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		HttpHeaders before = headers.isEmpty() ? HttpHeaders.EMPTY : HttpHeaders.copyOf(headers);
		return (error) -> {
			ExchangeConnection connection = ExchangeConnection.of(exchange);
			if (connection == null || !isSentAgain(exchange, error)) {
				return Mono.error(error);
			}
			// The gateway closes the connection of the exchange once the error has
			// passed, in the same thread, and must not find the next one there
			return Mono.defer(() -> {
				ServerWebExchangeUtils.reset(exchange);
				headers.clear();
				headers.putAll(before);
				return chain.filter(exchange);
			}).subscribeOn(Schedulers.fromExecutor(connection.thread()));
		};
	}

	private static boolean isSentAgain(ServerWebExchange exchange, Throwable error) {
		return error == PART || (error instanceof UpstreamException && ExchangeFilter.of(exchange)
			.upstream()
			.bodyFailed(exchange.getResponse().isCommitted()) == Decision.SEND_AGAIN);
	}

	/**
	 * Shared, so it remembers nothing.
	 */
	private static final class PartOfBody extends RuntimeException {

		private static final long serialVersionUID = 1L;

		PartOfBody() {
			super("The client gets the whole body", null, false, false);
		}

	}

}
