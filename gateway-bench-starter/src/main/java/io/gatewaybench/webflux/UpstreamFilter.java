package io.gatewaybench.webflux;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.exchange.GrpcTimeout;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides where the request goes: the instance of the upstream and the path there, and
 * another instance when that one fails.
 */
final class UpstreamFilter implements GlobalFilter, Ordered {

	/**
	 * After the gateway has merged route and request into one URL, and after its load
	 * balancer, which builds that anew from the request.
	 */
	static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER + 50;

	private final Upstreams upstreams;

	private final Duration bodyTimeout;

	private final RequestBodies requestBodies;

	private final Mirrors mirrors;

	private final @Nullable WebSockets webSockets;

	/**
	 * Create the filter.
	 * @param upstreams where requests can go
	 * @param bodyTimeout how long a client may pause
	 * @param requestBodies limits bodies
	 * @param mirrors where requests go as well
	 * @param webSockets the WebSockets that there are; {@code null} to leave them to the
	 * gateway
	 */
	UpstreamFilter(Upstreams upstreams, Duration bodyTimeout, RequestBodies requestBodies, Mirrors mirrors,
			@Nullable WebSockets webSockets) {
		this.webSockets = webSockets;
		this.upstreams = upstreams;
		this.bodyTimeout = bodyTimeout;
		this.requestBodies = requestBodies;
		this.mirrors = mirrors;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		if (Upstreams.isUpstream(route.getUri())) {
			return exchangeWithUpstream(EmptyRequest.complete(exchange), chain, route);
		}
		GatewayExchange state = ExchangeFilter.of(exchange);
		if (state.applies()) {
			URI merged = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
			// A load balancer also resolves lb:ws://name
			if (Instance.isAddressedBy(merged)) {
				send(exchange, Instance.of(merged), state);
				return observed(exchange, state,
						RequestWithBody.hasBody(exchange.getRequest())
								? watchBody(exchange, state, chain::filter,
										() -> this.requestBodies.begin(Instance.of(merged)))
								: chain.filter(EmptyRequest.complete(exchange)));
			}
		}
		return observed(exchange, state, chain.filter(exchange));
	}

	/**
	 * The gateway's client has one attempt for a route without an upstream.
	 */
	private static Mono<Void> observed(ServerWebExchange exchange, GatewayExchange state, Mono<Void> attempt) {
		return state.outcome().isObserved()
				? attempt.doOnSuccess((nothing) -> state.outcome().attempted(state, status(exchange), null))
					.doOnError((error) -> state.outcome().attempted(state, 0, error))
				: attempt;
	}

	private static int status(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return (status != null) ? status.value() : 0;
	}

	private Mono<Void> exchangeWithUpstream(ServerWebExchange exchange, GatewayFilterChain chain, Route route) {
		GatewayExchange state = ExchangeFilter.toSend(exchange);
		UpstreamCall resent = state.upstream().call();
		if (resent != null) {
			return attempt(exchange, chain, state, resent);
		}
		Upstream upstream = this.upstreams.get(route.getUri());
		long seconds = (upstream.rateLimit() != null)
				? state.outcome().admit(upstream, new RequestView(exchange.getRequest())) : 0;
		if (seconds > 0) {
			return UpstreamErrorHandler.answer(exchange.getResponse(), UpstreamFailure.RATE_LIMITED,
					String.valueOf(seconds));
		}
		if (this.webSockets != null && WebSocketRelay.isAsked(exchange.getRequest())) {
			return WebSocketRelay.around(exchange, state, this.webSockets,
					() -> firstAttempt(exchange, chain, state, route, upstream, false));
		}
		this.mirrors.choose(state, upstream);
		return RequestWithBody.hasBody(exchange.getRequest())
				? watchBody(exchange, state,
						(watched) -> Mono.defer(() -> firstAttempt(watched, chain, state, route, upstream, true)),
						() -> this.requestBodies.begin(upstream))
				: firstAttempt(exchange, chain, state, route, upstream, false);
	}

	/**
	 * Chooses the instance, which a client that is slow with a short body is not to keep.
	 */
	private static Mono<Void> firstAttempt(ServerWebExchange exchange, GatewayFilterChain chain, GatewayExchange state,
			Route route, Upstream upstream, boolean hasBody) {
		CompletableFuture<Boolean> turn = state.upstream().enter(upstream);
		if (turn == null) {
			return choose(exchange, chain, state, route, upstream, hasBody);
		}
		// In another thread: the one that gives a place back would send the requests of
		// others, one within the other
		return Mono.fromFuture(turn).publishOn(Schedulers.parallel()).flatMap((granted) -> {
			state.upstream().waited(granted);
			return choose(exchange, chain, state, route, upstream, hasBody);
		});
	}

	private static Mono<Void> choose(ServerWebExchange exchange, GatewayFilterChain chain, GatewayExchange state,
			Route route, Upstream upstream, boolean hasBody) {
		UpstreamCall call = state.upstream()
			.sendTo(upstream, exchange.getRequest().getMethod().name(), hasBody,
					upstream.looksAtRequests() ? new RequestView(exchange.getRequest()) : InstanceChooser.Request.NONE);
		if (upstream.connect().http2()) {
			state.deadline()
				.limitByClient(GrpcTimeout.parse(exchange.getRequest().getHeaders().getFirst(GrpcTimeout.HEADER)));
		}
		ConnectTimeout.apply(exchange, route, call.timeouts().connect());
		return attempt(exchange, chain, state, call);
	}

	private Mono<Void> watchBody(ServerWebExchange exchange, GatewayExchange state,
			Function<ServerWebExchange, Mono<Void>> send, Supplier<RequestBodies.Upload> upload) {
		RequestWithBody request = new RequestWithBody(exchange, state);
		state.deadline().limitClient(this.bodyTimeout, request);
		return request.over(send.apply(exchange.mutate().request(request).build()), this.requestBodies, upload);
	}

	private static Mono<Void> attempt(ServerWebExchange exchange, GatewayFilterChain chain, GatewayExchange state,
			UpstreamCall call) {
		send(exchange, call.instance(), state);
		return new Attempt(chain.filter(exchange), exchange, state).onErrorResume((error) -> {
			if (error != Attempt.UNWANTED) {
				UpstreamFailure failure = failure(exchange, error);
				if (failure == null) {
					return Mono.error(error);
				}
				if (exchange.getResponse().isCommitted()
						|| state.upstream().attemptFailed(failure) == Decision.PASS_ON) {
					return Mono.error(new UpstreamException(failure, error));
				}
			}
			ServerWebExchangeUtils.reset(exchange);
			return attempt(exchange, chain, state, call);
		});
	}

	/**
	 * A filter in front of the gateway's client can fail, too, as one that asks for a
	 * token elsewhere.
	 */
	private static @Nullable UpstreamFailure failure(ServerWebExchange exchange, Throwable error) {
		return ServerWebExchangeUtils.isAlreadyRouted(exchange) ? UpstreamFailure.of(error) : null;
	}

	/**
	 * Takes path and query from the request, because the gateway sorts the query and
	 * makes one slash of two when it merges route and request.
	 */
	private static void send(ServerWebExchange exchange, Instance instance, GatewayExchange state) {
		URI request = exchange.getRequest().getURI();
		String path = state.features()
			.upstreamPath(request.getRawPath(), exchange.getRequest().getPath().contextPath().value());
		ServerWebExchangeUtils.addOriginalRequestUrl(exchange, request);
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, instance.target(path, request.getRawQuery()));
	}

}
