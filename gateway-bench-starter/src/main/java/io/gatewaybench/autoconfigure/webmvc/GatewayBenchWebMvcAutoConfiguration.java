package io.gatewaybench.autoconfigure.webmvc;

import java.util.List;
import java.util.function.Function;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.autoconfigure.NativeRoutes;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.Watchdog;
import io.gatewaybench.webmvc.GatewayFilterFunctions;
import io.gatewaybench.webmvc.GatewayFilters;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctionDefinition;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Auto-configuration of the filters for the WebMVC gateway. Who comes after the gateway
 * pulls it forward, but its routes can only be refreshed when it comes after the scope
 * for that.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayBenchAutoConfiguration.class,
		afterName = { "org.springframework.cloud.autoconfigure.RefreshAutoConfiguration",
				"org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration" })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = GatewayMvcProperties.PREFIX + ".enabled", matchIfMissing = true)
public final class GatewayBenchWebMvcAutoConfiguration {

	GatewayBenchWebMvcAutoConfiguration() {
	}

	@Bean
	Flavour gatewayBenchFlavour() {
		return Flavour.WEBMVC;
	}

	@Bean
	FilterSupplier gatewayBenchFilterSupplier() {
		return new SimpleFilterSupplier(GatewayFilterFunctions.class);
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
		@ConditionalOnBooleanProperty(name = "gateway-bench.metrics.enabled", matchIfMissing = true)
		FilterRegistrationBean<Filter> gatewayBenchMetricsFilter(GatewayFilters filters) {
			return register("gatewayBenchMetricsFilter", filters.metrics(), Ordered.HIGHEST_PRECEDENCE);
		}

		@Bean
		FilterRegistrationBean<Filter> gatewayBenchUpstreamBodyFilter() {
			FilterRegistrationBean<Filter> registration = register("gatewayBenchUpstreamBodyFilter",
					GatewayFilters.upstreamBody(), Ordered.HIGHEST_PRECEDENCE + 1);
			registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.INCLUDE,
					DispatcherType.ASYNC);
			return registration;
		}

		private static FilterRegistrationBean<Filter> register(String name, Filter filter, int order) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
			registration.setName(name);
			registration.setOrder(order);
			registration.setDispatcherTypes(DispatcherType.REQUEST);
			registration.setAsyncSupported(true);
			return registration;
		}

		@Bean
		RequestHttpHeadersFilter gatewayBenchHeadersFilter(GatewayFilters filters) {
			return filters.requestHeaders();
		}

		@Bean
		static LeanFiltersPostProcessor gatewayBenchLeanFiltersPostProcessor() {
			return new LeanFiltersPostProcessor();
		}

		@Bean
		HandlerExceptionResolver gatewayBenchUpstreamErrorResolver() {
			return GatewayFilters.upstreamErrors();
		}

		@Bean
		static FeatureProxyExchangePostProcessor gatewayBenchProxyExchangePostProcessor(
				ObjectProvider<GatewayFilters> filters, ObjectProvider<RestClient.Builder> clients,
				@Qualifier(GatewayBenchWebMvcHttpClientAutoConfiguration.REQUEST_FACTORY) ObjectProvider<ClientHttpRequestFactory> requestFactory,
				ObjectProvider<UpstreamRequestFactories> upstreamFactories,
				ObjectProvider<GatewayMvcProperties> properties) {
			return new FeatureProxyExchangePostProcessor(filters, clients, requestFactory, upstreamFactories,
					properties);
		}

		@Bean
		static RefreshableRoutesPostProcessor gatewayBenchRefreshableRoutesPostProcessor() {
			return new RefreshableRoutesPostProcessor();
		}

		@Bean
		RouterFunction<ServerResponse> gatewayBenchRouterFunction(GatewayRoutes routes) {
			return GatewayFilters.routes(routes.routes());
		}

		/**
		 * The gateway looks it up by this name when a route's URI is {@code rr://name}.
		 */
		@Bean
		Function<RouteProperties, HandlerFunctionDefinition> rrHandlerFunctionDefinition() {
			return GatewayFilters.upstreamHandler();
		}

		@Bean
		SmartInitializingSingleton gatewayBenchUpstreamReferences(GatewayMvcProperties properties, Upstreams upstreams,
				FilterSettings settings) {
			return () -> {
				List<RouteProperties> routes = properties.getRoutes();
				for (int i = 0; i < routes.size(); i++) {
					NativeRoutes.check("%s.routes[%d].uri".formatted(GatewayMvcProperties.PREFIX, i),
							routes.get(i).getUri(), upstreams);
					warnIfStrippedTwice(routes.get(i).getId(), routes.get(i), settings);
				}
				properties.getRoutesMap().forEach((id, route) -> {
					NativeRoutes.check("%s.routes-map.%s.uri".formatted(GatewayMvcProperties.PREFIX, id),
							route.getUri(), upstreams);
					warnIfStrippedTwice(id, route, settings);
				});
			};
		}

		private static void warnIfStrippedTwice(@Nullable String id, RouteProperties route, FilterSettings settings) {
			NativeRoutes.warnIfStrippedTwice(id, route.getFilters().stream().map(FilterProperties::getName),
					settings.scope());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Connector.class, ConfigurableTomcatWebServerFactory.class })
	@ConditionalOnBooleanProperty(name = { "gateway-bench.enabled", "gateway-bench.http-client.tuned" },
			matchIfMissing = true)
	static class ServerConfiguration {

		@Bean
		static TomcatTuning gatewayBenchServerCustomizer(Environment environment) {
			return new TomcatTuning(environment);
		}

	}

}
