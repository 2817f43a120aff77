package io.gatewaybench.webmvc;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.Watchdog;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;
import org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctionDefinition;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.cloud.gateway.server.mvc.predicate.GatewayRequestPredicates;
import org.springframework.http.HttpHeaders;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The filters of the starter as the WebMVC gateway knows them. Each is a bean of its own
 * in the application.
 *
 * @since 0.1.0
 */
public final class GatewayFilters {

	/**
	 * Attribute of a request whose client may reset it: a
	 * {@link java.util.function.BooleanSupplier} that tells whether it did.
	 */
	public static final String CLIENT_RESET = GatewayFilters.class.getName() + ".clientReset";

	private final FilterSettings settings;

	private final Upstreams upstreams;

	private final GatewayMetrics metrics;

	private final Watchdog watchdog;

	/**
	 * Create the filters.
	 * @param settings how the features work
	 * @param upstreams where requests can go
	 * @param metrics what counts them
	 * @param watchdog what ends waiting for an upstream
	 */
	public GatewayFilters(FilterSettings settings, Upstreams upstreams, GatewayMetrics metrics, Watchdog watchdog) {
		this.settings = settings;
		this.upstreams = upstreams;
		this.metrics = metrics;
		this.watchdog = watchdog;
	}

	/**
	 * Timing of requests.
	 * @return the outermost filter
	 */
	public Filter metrics() {
		return new MetricsFilter(this.metrics);
	}

	/**
	 * Release of bodies of upstreams, and signal to the client when one broke off.
	 * @return the filter inside that of the metrics
	 */
	public static Filter upstreamBody() {
		return new UpstreamBodyFilter();
	}

	/**
	 * Answer for a client whose upstream failed.
	 * @return the resolver in front of those of Spring MVC
	 */
	public static HandlerExceptionResolver upstreamErrors() {
		return new UpstreamErrorResolver();
	}

	/**
	 * Headers of requests to upstreams, for {@link #lean}.
	 * @return the first filter of request headers
	 */
	public HttpHeadersFilter.RequestHttpHeadersFilter requestHeaders() {
		return new OwnHeadersFilter(this.settings.scope());
	}

	/**
	 * A filter of headers without the copy that those of the gateway make of all headers.
	 * @param filter the filter
	 * @return what does the same for the starter's requests at less cost, or the filter
	 * itself if it is not the gateway's
	 */
	public static HttpHeadersFilter<?> lean(HttpHeadersFilter<?> filter) {
		return LeanHeadersFilters.of(filter);
	}

	/**
	 * A filter of forms that leaves those of the starter's requests as they are.
	 * @param filter the filter
	 * @return what does the same for all other requests, or the filter itself if it is
	 * not the gateway's
	 */
	public static FormFilter raw(FormFilter filter) {
		return (filter.getClass() == FormFilter.class) ? new RawFormFilter(filter.getOrder()) : filter;
	}

	/**
	 * Everything between the gateway and its client: prefixes, instances, headers and
	 * bodies.
	 * @param exchange the application's exchange with the upstream
	 * @return the exchange with the features around it
	 */
	public ProxyExchange around(ProxyExchange exchange) {
		return around(exchange, exchange, Duration.ZERO, Map.of());
	}

	/**
	 * As {@link #around(ProxyExchange)}, with an exchange that is made for the starter's
	 * routes.
	 * @param exchange the gateway's own exchange, which remains that of routes outside
	 * the scope of the features
	 * @param client client for all other requests
	 * @param readTimeout how long to wait for bytes on routes without an upstream, in
	 * place of the client; zero if the client sees to it
	 * @param byConnectTimeout clients in its place for upstreams with a connect timeout
	 * @param properties properties of the gateway
	 * @return the exchange with the features around it
	 */
	public ProxyExchange around(RestClientProxyExchange exchange, RestClient client, Duration readTimeout,
			Map<Duration, RestClient> byConnectTimeout, GatewayMvcProperties properties) {
		Map<Duration, ProxyExchange> exchanges = new HashMap<>();
		byConnectTimeout.forEach((timeout, timed) -> exchanges.put(timeout, new UpstreamExchange(timed, properties)));
		return around(exchange, new UpstreamExchange(client, properties), readTimeout, exchanges);
	}

	private ProxyExchange around(ProxyExchange others, ProxyExchange delegate, Duration readTimeout,
			Map<Duration, ProxyExchange> byConnectTimeout) {
		return new FeatureProxyExchange(others, delegate, readTimeout, byConnectTimeout, this.settings, this.upstreams,
				this.metrics, this.watchdog);
	}

	/**
	 * Native routes for those of the starter.
	 * @param routes the routes
	 * @return the native routes, in the same order
	 */
	public static RouterFunction<ServerResponse> routes(List<GatewayRoute> routes) {
		if (routes.isEmpty()) {
			return (request) -> Optional.empty();
		}
		// Composed by and(), they would be asked by a recursion as deep as they are many
		RouterFunctions.Builder builder = RouterFunctions.route();
		routes.forEach((route) -> builder.add(route(route)));
		return builder.build();
	}

	/**
	 * The gateway's router of the routes in its properties, made to keep its routes apart
	 * when it is composed with others.
	 * @param router the gateway's router
	 * @return router that always has the routes which the gateway's has
	 */
	public static RouterFunction<ServerResponse> refreshable(RouterFunction<ServerResponse> router) {
		return new RefreshableRouterFunction(router);
	}

	private static RouterFunction<ServerResponse> route(GatewayRoute route) {
		return GatewayRouterFunctions.route(route.id())
			.route(GatewayRequestPredicates.path(route.path()), HandlerFunctions.http())
			.before(BeforeFilterFunctions.uri(route.uri()))
			.before((request) -> declare(request, route))
			.build();
	}

	private static ServerRequest declare(ServerRequest request, GatewayRoute route) {
		RequestFeatures.declare(request.servletRequest(), route.features());
		return request;
	}

	/**
	 * Handler of native routes whose URI is {@code rr://name}.
	 * @return what the gateway looks up by the name of the scheme
	 */
	public static Function<RouteProperties, HandlerFunctionDefinition> upstreamHandler() {
		return (route) -> new HandlerFunctionDefinition.Default(Upstreams.SCHEME, HandlerFunctions.http(),
				List.of(address(route)), List.of());
	}

	private static HandlerFilterFunction<ServerResponse, ServerResponse> address(RouteProperties route) {
		URI uri = Objects.requireNonNull(route.getUri(), "uri must not be null");
		return (request, next) -> {
			MvcUtils.setRouteId(request, route.getId());
			MvcUtils.setRequestUrl(request, uri);
			return next.handle(request);
		};
	}

	/**
	 * Headers of the request to an upstream that the current thread is about to send, for
	 * a client that would send others.
	 * @return the headers, or {@code null} if the request is not the starter's
	 */
	public static @Nullable HttpHeaders currentHeaders() {
		return UpstreamExchange.currentHeaders();
	}

	/**
	 * Tells how to cancel the request to an upstream that the current thread is about to
	 * send. It is cancelled, by another thread, when a timeout of the upstream strikes;
	 * needed only for a client that does not heed the interruption of the thread.
	 * @param cancellation closes the connection, without waiting for anything
	 */
	public static void cancelOnTimeout(Runnable cancellation) {
		ResponseWatch.cancelBy(cancellation);
	}

}
