package io.gatewaybench.webmvc;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.TrustedClients;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.upstream.ConnectSettings;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.DeadlineTimer;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilterProperties;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayDelegatingRouterFunction;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctionDefinition;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchangeHandlerFunction;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.client.RestClient;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.RequestPredicates;
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

	/**
	 * Attribute of a request whose response the server may compress: a {@link Runnable}
	 * that keeps the server from it.
	 */
	public static final String LEAVE_UNCODED = GatewayFilters.class.getName() + ".leaveUncoded";

	/**
	 * Attribute of a request whose response may end with its connection: a
	 * {@link Runnable} that makes the server reset the connection when it closes it.
	 */
	public static final String RESET_ON_CLOSE = GatewayFilters.class.getName() + ".resetOnClose";

	private final FilterSettings settings;

	private final Upstreams upstreams;

	private final GatewayMetrics metrics;

	private final GatewayObservations observations;

	private final DeadlineTimer timer;

	private final Executor executor;

	private final OpenRequests open = new OpenRequests();

	/**
	 * Create the filters.
	 * @param settings how the features work
	 * @param upstreams where requests can go
	 * @param metrics what counts them
	 * @param observations what observes them
	 * @param timer what ends waiting for an upstream
	 * @param executor runs what may take as long as a client does; it has no limit
	 */
	public GatewayFilters(FilterSettings settings, Upstreams upstreams, GatewayMetrics metrics,
			GatewayObservations observations, DeadlineTimer timer, Executor executor) {
		this.settings = settings;
		this.upstreams = upstreams;
		this.metrics = metrics;
		this.observations = observations;
		this.timer = timer;
		this.executor = executor;
	}

	/**
	 * Keep in a native image what the filters reach by reflection.
	 * @param hints what the image is told to keep
	 * @param classLoader class loader of the application
	 */
	public static void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		RouterList.registerHints(hints);
		ApacheClient.registerHints(hints, classLoader);
		// The gateway calls its methods by their names
		hints.reflection().registerType(GatewayFilterFunctions.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

	/**
	 * Begin and end of every exchange.
	 * @return the outermost filter
	 */
	public Filter exchanges() {
		return new ExchangeFilter(this.metrics, this.observations, this.timer, this.open);
	}

	/**
	 * End the requests that are still open, as the server takes no more. Each is counted
	 * as one whose response broke off.
	 */
	public void endOpenRequests() {
		this.open.end(this.timer);
	}

	/**
	 * Answer for a client whose upstream failed.
	 * @return a resolver with precedence over Spring MVC's
	 */
	public static HandlerExceptionResolver upstreamErrors() {
		return new UpstreamErrorResolver();
	}

	/**
	 * Filter of forms. It leaves the forms of the starter's requests as they are.
	 * @return the filter in the place of the gateway's
	 */
	public static FormFilter forms() {
		return new RawFormFilter();
	}

	/**
	 * What finds the parts of an upload for the application. It leaves the uploads of the
	 * gateway as they are.
	 * @param strict whether only {@code multipart/form-data} has parts
	 * @return the resolver in the place of Spring's
	 */
	public static MultipartResolver parts(boolean strict) {
		PartsResolver resolver = new PartsResolver();
		resolver.setStrictServletCompliance(strict);
		return resolver;
	}

	/**
	 * What the gateway sends a request with, after the filters of its route. It filters
	 * the headers and leaves the rest to the exchange.
	 * @param exchange the exchange of the application, or {@link #exchange the starter's}
	 * @param requestFilters filters of the headers of requests
	 * @param responseFilters filters of the headers of responses
	 * @param trusted the clients that are believed whom they forward for
	 * @param xForwarded which headers say who forwarded a request
	 * @return the handler in the place of the gateway's
	 */
	public ProxyExchangeHandlerFunction handler(ProxyExchange exchange,
			ObjectProvider<RequestHttpHeadersFilter> requestFilters,
			ObjectProvider<ResponseHttpHeadersFilter> responseFilters, TrustedClients trusted,
			XForwardedRequestHeadersFilterProperties xForwarded) {
		ProxyExchange decorated = (exchange instanceof FeatureProxyExchange) ? exchange
				: decorate(exchange, () -> exchange, Duration.ZERO, Map.of());
		return new UpstreamHandler(decorated,
				HeadersFilters.requestFilters(requestFilters, this::route, trusted, xForwarded),
				HeadersFilters.responseFilters(responseFilters));
	}

	/**
	 * The exchange with the upstream: prefixes, instances, headers and bodies.
	 * @param others client for routes outside the scope of the features, set up as the
	 * gateway's
	 * @param client makes the client for all other requests, at the first of them: most
	 * gateways have none
	 * @param readTimeout how long to wait for bytes on routes without an upstream, in
	 * place of the client; zero if the client sees to it
	 * @param byConnectSettings clients in its place for upstreams, by the settings of
	 * their connections
	 * @param properties properties of the gateway
	 * @return the exchange in the place of the gateway's
	 */
	public ProxyExchange exchange(RestClient others, Supplier<RestClient> client, Duration readTimeout,
			Map<ConnectSettings, RestClient> byConnectSettings, GatewayMvcProperties properties) {
		Map<ConnectSettings, ProxyExchange> exchanges = new HashMap<>();
		byConnectSettings.forEach((settings, own) -> exchanges.put(settings, new UpstreamExchange(own, properties)));
		return decorate(new RestClientProxyExchange(others, properties),
				SingletonSupplier.of(() -> new UpstreamExchange(client.get(), properties)), readTimeout, exchanges);
	}

	private GatewayExchange route(HttpServletRequest request, URI url) {
		return ServletExchange.begin(request, this.metrics, this.observations, this.timer)
			.route(request, url, this.settings.scope());
	}

	private ProxyExchange decorate(ProxyExchange others, Supplier<ProxyExchange> direct, Duration readTimeout,
			Map<ConnectSettings, ProxyExchange> byConnectSettings) {
		return new FeatureProxyExchange(others, direct, readTimeout, byConnectSettings, this.settings, this.upstreams,
				this.metrics, this.observations, this.timer, this.executor);
	}

	/**
	 * The starter's routes as native routes.
	 * @param routes the routes
	 * @return the native routes, in the same order
	 */
	public static RouterFunction<ServerResponse> routes(List<GatewayRoute> routes) {
		return RouterList.of(routes.stream().map(GatewayFilters::route).toList());
	}

	private static RouterFunction<ServerResponse> route(GatewayRoute route) {
		// As the gateway builds routes, with one filter instead of three
		return new GatewayDelegatingRouterFunction<>(
				RouterFunctions.route(RequestPredicates.path(route.path()), HandlerFunctions.http())
					.filter((request, next) -> next.handle(choose(request, route)))
					.withAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR, route.id()),
				route.id());
	}

	private static ServerRequest choose(ServerRequest request, GatewayRoute route) {
		MvcUtils.setRouteId(request, route.id());
		MvcUtils.setRequestUrl(request, route.uri());
		ServletExchange exchange = ServletExchange.of(request.servletRequest());
		if (exchange != null) {
			exchange.current().declare(route.features());
		}
		return ClientPathRequest.decorate(request);
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
			return next.handle(ClientPathRequest.decorate(request));
		};
	}

	/**
	 * Headers of the request to an upstream that the current thread is about to send, for
	 * a client that would send others.
	 * @return the headers, or {@code null} if the request is not the starter's
	 */
	public static @Nullable HttpHeaders currentHeaders() {
		Attempt attempt = Attempt.ofThread();
		return (attempt != null) ? attempt.headers() : null;
	}

	/**
	 * Whether the request to an upstream that the current thread is about to send has met
	 * a connection that the upstream had closed, so that it must not meet another.
	 * @return whether to open a connection for it
	 */
	public static boolean needsNewConnection() {
		Attempt attempt = Attempt.ofThread();
		return attempt != null && attempt.isAnew();
	}

	/**
	 * Send the body of the request to an upstream that the current thread is about to
	 * send in another thread, so that this one can read the response meanwhile. The
	 * response to the client does not end before it has ended.
	 * @param sending sends the body
	 * @return ends as that does
	 */
	public static CompletableFuture<@Nullable Void> sendMeanwhile(Callable<?> sending) {
		Attempt attempt = Attempt.ofThread();
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		Runnable task = () -> {
			try {
				sending.call();
				sent.complete(null);
			}
			catch (Exception | Error ex) {
				sent.completeExceptionally(ex);
			}
		};
		if (attempt != null) {
			attempt.send(sent, task);
		}
		else {
			task.run();
		}
		return sent;
	}

	/**
	 * Tells how to cancel the request to an upstream that the current thread is about to
	 * send. It is cancelled, by another thread, when a timeout of the upstream strikes;
	 * needed only for a client that ignores the interruption of the thread.
	 * @param cancellation closes the connection, without waiting for anything
	 */
	public static void cancelOnTimeout(Runnable cancellation) {
		Attempt attempt = Attempt.ofThread();
		if (attempt != null) {
			attempt.cancelBy(cancellation);
		}
	}

}
