package io.gatewaybench.webflux;

import java.util.List;
import java.util.function.Function;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.TrustedClients;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.DeadlineTimer;
import io.micrometer.observation.ObservationRegistry;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter.Type;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.util.MimeType;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

/**
 * The filters of the starter as the WebFlux gateway knows them. Each is a bean of its own
 * in the application.
 *
 * @since 0.1.0
 */
public final class GatewayFilters {

	private final FilterSettings settings;

	private final String basePath;

	private final Upstreams upstreams;

	private final GatewayMetrics metrics;

	private final GatewayObservations observations;

	private final DeadlineTimer timer;

	/**
	 * Create the filters.
	 * @param settings how the features work
	 * @param basePath path of the application, empty if it has none
	 * @param upstreams where requests can go
	 * @param metrics what counts them
	 * @param observations what observes them
	 * @param timer what ends waiting for an upstream
	 */
	public GatewayFilters(FilterSettings settings, String basePath, Upstreams upstreams, GatewayMetrics metrics,
			GatewayObservations observations, DeadlineTimer timer) {
		this.settings = settings;
		this.basePath = basePath;
		this.upstreams = upstreams;
		this.metrics = metrics;
		this.observations = observations;
		this.timer = timer;
	}

	/**
	 * Keep in a native image what the filters reach by reflection.
	 * @param hints what the image is told to keep
	 */
	public static void registerHints(RuntimeHints hints) {
		PathConditions.registerHints(hints);
	}

	/**
	 * Beginning and end of every request, for all other filters.
	 * @return the outermost filter
	 */
	public WebFilter exchange() {
		return new ExchangeFilter(this.metrics, this.observations, this.timer);
	}

	/**
	 * Features of the response.
	 * @return the filter around the gateway's response
	 */
	public GlobalFilter response() {
		return new ResponseFilter(this.settings, this.basePath, this.metrics);
	}

	/**
	 * Header for caches, where the server compresses responses.
	 * @param compressed types that the server compresses
	 * @return a filter inside the filter of the response
	 */
	public static GlobalFilter vary(List<MimeType> compressed) {
		return new VaryFilter(compressed);
	}

	/**
	 * Stripping of prefixes and choice of instances.
	 * @return the filter in front of the gateway's client
	 */
	public GlobalFilter upstream() {
		return new UpstreamFilter(this.upstreams, this.settings.bodyTimeout(), this.settings.requestBodies());
	}

	/**
	 * Answer for a client whose upstream failed.
	 * @return a handler with precedence over Spring Boot's
	 */
	public static WebExceptionHandler upstreamErrors() {
		return new UpstreamErrorHandler();
	}

	/**
	 * Make one handler of all. Spring adds two operators to every request for each
	 * handler, though only a failed request needs them.
	 * @param handlers the handlers in their order, replaced by one
	 */
	public static void combine(List<WebExceptionHandler> handlers) {
		WebExceptionHandler all = new CombinedErrorHandler(List.copyOf(handlers));
		handlers.clear();
		handlers.add(all);
	}

	/**
	 * Headers of both directions, for {@link #withoutCopies}.
	 * @return the first filter of headers
	 */
	public static HttpHeadersFilter headers() {
		return new MutableHeadersFilter();
	}

	/**
	 * A filter of headers that makes no copy of all headers, as the gateway's do.
	 * @param filter the filter
	 * @param trusted the clients that are believed whom they forward for
	 * @return what does the same for the starter's requests at less cost, or the filter
	 * itself if it is not the gateway's
	 */
	public static HttpHeadersFilter withoutCopies(HttpHeadersFilter filter, TrustedClients trusted) {
		return HeadersFilters.of(filter, trusted);
	}

	/**
	 * What observes requests in the place of the gateway's filter, without a copy of the
	 * headers. It leaves alone what the starter observes.
	 * @param registry of the observations
	 * @param convention that of the application, {@code null} for the gateway's
	 * @return the filter
	 */
	public static HttpHeadersFilter observed(ObservationRegistry registry,
			@Nullable GatewayObservationConvention convention) {
		return new HeadersFilters.Observed(registry, convention);
	}

	/**
	 * A filter of requests without the work that the starter does better.
	 * @param filter the filter
	 * @return what does the same for requests to an upstream at less cost, or the filter
	 * itself if it is not the one of the gateway that merges route and request
	 */
	public static GlobalFilter upstreamUrl(GlobalFilter filter) {
		return (filter.getClass() == RouteToRequestUrlFilter.class) ? new UpstreamUrlFilter() : filter;
	}

	/**
	 * The filter that sends requests, without a client for each of them, and without what
	 * the client would add to them.
	 * @param client the gateway's client
	 * @param headersFilters the gateway's filters of headers
	 * @param properties settings of the client
	 * @param bundles tells the certificates for upstreams, by the name of their bundle
	 * @return what takes the place of the gateway's
	 */
	public static GlobalFilter routing(HttpClient client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			HttpClientProperties properties, Function<String, SslContext> bundles) {
		return new UpstreamRoutingFilter(client, headersFilters, properties, bundles);
	}

	/**
	 * Headers of requests to the upstream.
	 * @return the last filter of request headers
	 */
	public HttpHeadersFilter requestHeaders() {
		return new GatewayHeadersFilter(Type.REQUEST, this.settings.requestHeaders());
	}

	/**
	 * Headers of responses to the client.
	 * @return the last filter of response headers
	 */
	public HttpHeadersFilter responseHeaders() {
		return new GatewayHeadersFilter(Type.RESPONSE, this.settings.responseHeaders());
	}

	/**
	 * Trailers of responses to the client.
	 * @return a filter that removes trailers
	 */
	public static HttpHeadersFilter trailers() {
		return new TrailersFilter();
	}

	/**
	 * The filter by whose name a native route asks for a feature.
	 * @param feature the feature
	 * @return factory of the filter named {@link Feature#filterName()}
	 */
	public static GatewayFilterFactory<?> request(Feature feature) {
		return new RequestFeatureGatewayFilterFactory(feature);
	}

	/**
	 * The starter's routes as native routes.
	 * @param builder what makes native routes
	 * @param routes the routes
	 * @return the native routes, in the same order
	 */
	public RouteLocator routes(RouteLocatorBuilder builder, List<GatewayRoute> routes) {
		RouteLocatorBuilder.Builder locator = builder.routes();
		for (GatewayRoute route : routes) {
			locator.route(route.id(),
					(spec) -> spec.path(route.path())
						.metadata(ResponseFilter.ROUTE_METADATA, route.features())
						.metadata(ConnectTimeout.metadata(this.upstreams.get(route.uri()).timeouts().connect()))
						.uri(route.uri()));
		}
		return locator.build();
	}

	/**
	 * Sets up Reactor Netty. Answers with 503 when no connection to the upstream becomes
	 * free in time. Lets attempts know their connections, because they end in the threads
	 * of these.
	 * @return what sets up the gateway's client; to be closed with the application
	 */
	public static HttpClientCustomizer client() {
		return new UpstreamClient();
	}

}
