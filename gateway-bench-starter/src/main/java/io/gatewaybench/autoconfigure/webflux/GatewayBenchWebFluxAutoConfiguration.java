package io.gatewaybench.autoconfigure.webflux;

import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.autoconfigure.NativeRoutes;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.netty.TunedNetty;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.ConnectionSettings;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.Watchdog;
import io.gatewaybench.webflux.GatewayFilters;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

/**
 * Auto-configuration of the filters for the WebFlux gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayBenchAutoConfiguration.class,
		afterName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RoutePredicateHandlerMapping.class)
@ConditionalOnBooleanProperty(name = GatewayProperties.PREFIX + ".enabled", matchIfMissing = true)
public final class GatewayBenchWebFluxAutoConfiguration {

	GatewayBenchWebFluxAutoConfiguration() {
	}

	@Bean
	Flavour gatewayBenchFlavour() {
		return Flavour.WEBFLUX;
	}

	@Bean
	GatewayFilterFactory<?> stripGatewayPrefixFilterFactory() {
		return GatewayFilters.request(Feature.STRIP_PREFIX);
	}

	@Bean
	GatewayFilterFactory<?> addGatewayHeadersFilterFactory() {
		return GatewayFilters.request(Feature.HEADERS);
	}

	@Bean
	GatewayFilterFactory<?> injectGatewayMetadataFilterFactory() {
		return GatewayFilters.request(Feature.BODY_REWRITE);
	}

	@Bean
	GatewayFilterFactory<?> recordGatewayMetricsFilterFactory() {
		return GatewayFilters.request(Feature.METRICS);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
	static class FilterConfiguration {

		@Bean
		GatewayFilters gatewayBenchFilters(FilterSettings settings, Upstreams upstreams,
				ObjectProvider<GatewayMetrics> metrics, Watchdog watchdog) {
			return new GatewayFilters(settings, upstreams, GatewayMetrics.composite(metrics.orderedStream().toList()),
					watchdog);
		}

		@Bean
		WebFilter gatewayBenchExchangeFilter(GatewayFilters filters) {
			return filters.exchange();
		}

		@Bean
		WebFilter gatewayBenchFormFilter() {
			return GatewayFilters.forms();
		}

		@Bean
		GlobalFilter gatewayBenchResponseFilter(GatewayFilters filters) {
			return filters.response();
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "server.compression.enabled")
		GlobalFilter gatewayBenchVaryFilter() {
			return GatewayFilters.vary();
		}

		@Bean
		GlobalFilter gatewayBenchUpstreamFilter(GatewayFilters filters) {
			return filters.upstream();
		}

		@Bean
		WebExceptionHandler gatewayBenchUpstreamErrorHandler() {
			return GatewayFilters.upstreamErrors();
		}

		@Bean
		HttpHeadersFilter gatewayBenchHeadersFilter() {
			return GatewayFilters.headers();
		}

		@Bean
		static LeanFiltersPostProcessor gatewayBenchLeanFiltersPostProcessor() {
			return new LeanFiltersPostProcessor();
		}

		@Bean
		HttpHeadersFilter gatewayBenchRequestHeadersFilter(GatewayFilters filters) {
			return filters.requestHeaders();
		}

		@Bean
		HttpHeadersFilter gatewayBenchResponseHeadersFilter(GatewayFilters filters) {
			return filters.responseHeaders();
		}

		@Bean
		HttpHeadersFilter gatewayBenchTrailersFilter() {
			return GatewayFilters.trailers();
		}

		@Bean
		RouteLocator gatewayBenchRouteLocator(GatewayFilters filters, RouteLocatorBuilder builder,
				GatewayRoutes routes) {
			return filters.routes(builder, routes.routes());
		}

		@Bean
		SmartInitializingSingleton gatewayBenchUpstreamReferences(GatewayProperties properties, Upstreams upstreams,
				FilterSettings settings) {
			return () -> {
				List<RouteDefinition> routes = properties.getRoutes();
				for (int i = 0; i < routes.size(); i++) {
					NativeRoutes.check("%s.routes[%d].uri".formatted(GatewayProperties.PREFIX, i),
							routes.get(i).getUri(), upstreams);
					NativeRoutes.warnIfStrippedTwice(routes.get(i).getId(),
							Stream.concat(properties.getDefaultFilters().stream(), routes.get(i).getFilters().stream())
								.map(FilterDefinition::getName),
							settings.scope());
				}
			};
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "gateway-bench.http-client.tuned", matchIfMissing = true)
		static HttpClientDefaults gatewayBenchHttpClientDefaults(ObjectProvider<ConnectionSettings> settings) {
			return new HttpClientDefaults(settings);
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "gateway-bench.http-client.tuned", matchIfMissing = true)
		HttpClientCustomizer gatewayBenchHttpClientCustomizer() {
			return GatewayFilters.client();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HttpClient.class)
	@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
	static class RoutingConfiguration {

		@Bean
		static LeanRoutingPostProcessor gatewayBenchLeanRoutingPostProcessor(ObjectProvider<HttpClient> client,
				ObjectProvider<List<HttpHeadersFilter>> headersFilters,
				ObjectProvider<HttpClientProperties> properties) {
			return new LeanRoutingPostProcessor(client, headersFilters, properties);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpServer.class, NettyServerCustomizer.class })
	@ConditionalOnBooleanProperty(name = { "gateway-bench.enabled", "gateway-bench.http-client.tuned" },
			matchIfMissing = true)
	static class ServerConfiguration {

		@Bean
		NettyServerCustomizer gatewayBenchServerCustomizer() {
			return TunedNetty::server;
		}

	}

}
