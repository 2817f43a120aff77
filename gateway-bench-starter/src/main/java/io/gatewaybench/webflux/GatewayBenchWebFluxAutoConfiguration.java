package io.gatewaybench.webflux;

import java.time.Duration;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.internal.routing.RouteDescription;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.accept.ApiVersionStrategy;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

/**
 * Auto-configuration of what is in front of the WebFlux gateway: the names of the
 * features, the outermost filter, the lookup of routes, and the server. It comes before
 * the gateway, which then has no lookup of its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayBenchAutoConfiguration.class,
		beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RoutePredicateHandlerMapping.class)
@ConditionalOnBooleanProperty(name = GatewayProperties.PREFIX + ".enabled", matchIfMissing = true)
@ImportRuntimeHints(GatewayBenchWebFluxAutoConfiguration.Hints.class)
public final class GatewayBenchWebFluxAutoConfiguration {

	GatewayBenchWebFluxAutoConfiguration() {
	}

	@Bean
	Flavour gatewayBenchFlavour() {
		return Flavour.WEBFLUX;
	}

	@Bean
	GatewayFilterFactory<?> stripGatewayPrefixFilterFactory() {
		return new RequestFeatureGatewayFilterFactory(Feature.STRIP_PREFIX);
	}

	@Bean
	GatewayFilterFactory<?> addGatewayHeadersFilterFactory() {
		return new RequestFeatureGatewayFilterFactory(Feature.HEADERS);
	}

	@Bean
	GatewayFilterFactory<?> injectGatewayMetadataFilterFactory() {
		return new RequestFeatureGatewayFilterFactory(Feature.BODY_REWRITE);
	}

	@Bean
	GatewayFilterFactory<?> recordGatewayMetricsFilterFactory() {
		return new RequestFeatureGatewayFilterFactory(Feature.METRICS);
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			PathConditions.registerHints(hints);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
	static class WebConfiguration {

		@Bean
		WebFilter gatewayBenchExchangeFilter(Exchanges exchanges) {
			return new ExchangeFilter(exchanges);
		}

		@Bean
		@ConditionalOnMissingBean(name = "gatewayBenchErrorHandler")
		WebExceptionHandler gatewayBenchErrorHandler() {
			return new UpstreamErrorHandler();
		}

		/**
		 * Spring adds two operators to every request for each handler, though only a
		 * failed request needs them. Customizers of the application may add handlers
		 * before.
		 */
		@Bean
		@Order
		WebHttpHandlerBuilderCustomizer gatewayBenchErrorHandlers() {
			return (builder) -> builder.exceptionHandlers(CombinedErrorHandler::combine);
		}

	}

	/**
	 * The beans have the gateway's names. Beans of the application stay.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = { "gateway-bench.enabled", "gateway-bench.route-index.enabled" },
			matchIfMissing = true)
	@ConditionalOnMissingBean(RoutePredicateHandlerMapping.class)
	static class RouteIndexConfiguration {

		@Bean
		RouteIndexHolder<Route> gatewayBenchRouteIndex() {
			return new RouteIndexHolder<>((position, route) -> new RouteDescription(position, route.getId(),
					route.getPredicate().toString()));
		}

		@Bean
		@ConditionalOnMissingBean
		FilteringWebHandler filteringWebHandler(List<GlobalFilter> globalFilters, GatewayProperties properties) {
			return new CombiningWebHandler(globalFilters, properties.isRouteFilterCacheEnabled());
		}

		@Bean
		RoutePredicateHandlerMapping routePredicateHandlerMapping(FilteringWebHandler webHandler,
				RouteLocator routeLocator, GlobalCorsProperties globalCorsProperties, Environment environment,
				RouteIndexHolder<Route> index, ObjectProvider<ApiVersionStrategy> apiVersionStrategy) {
			RoutePredicateHandlerMapping mapping = new IndexedRoutePredicateHandlerMapping(webHandler, routeLocator,
					globalCorsProperties, environment, index);
			apiVersionStrategy.ifAvailable(mapping::setApiVersionStrategy);
			return mapping;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpServer.class, NettyServerCustomizer.class })
	@ConditionalOnBooleanProperty(name = { "gateway-bench.enabled", "gateway-bench.server.tuned" },
			matchIfMissing = true)
	static class ServerConfiguration {

		@Bean
		NettyServerCustomizer gatewayBenchServerCustomizer(Environment environment) {
			Duration headTimeout = Binder.get(environment)
				.bind("gateway-bench.server.head-timeout", Duration.class)
				.orElse(Duration.ofSeconds(20));
			return (server) -> TunedNetty.server(server, headTimeout);
		}

		@Bean
		static CancelledStreamsCustomizer gatewayBenchCancelledStreamsCustomizer(Environment environment) {
			return new CancelledStreamsCustomizer(
					environment.getProperty("gateway-bench.server.max-cancelled-streams", Integer.class, 1000));
		}

	}

	/**
	 * Comes after Spring Boot's own, at 0, which sets the settings of HTTP/2 anew.
	 *
	 * @param most how many streams of a connection may be cancelled
	 */
	record CancelledStreamsCustomizer(
			int most) implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory>, Ordered {

		@Override
		public int getOrder() {
			return 1;
		}

		@Override
		public void customize(NettyReactiveWebServerFactory factory) {
			factory.addServerCustomizers((server) -> TunedNetty.cancelledStreams(server, this.most));
		}

	}

}
