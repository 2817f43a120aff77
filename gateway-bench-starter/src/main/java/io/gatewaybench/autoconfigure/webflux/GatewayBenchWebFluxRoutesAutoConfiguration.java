package io.gatewaybench.autoconfigure.webflux;

import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.NativeRoutes;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.webflux.GatewayFilters;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the starter's routes on WebFlux, and of native routes to its
 * upstreams.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebFluxExchangeAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RoutePredicateHandlerMapping.class)
@ConditionalOnBooleanProperty(name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebFluxRoutesAutoConfiguration {

	GatewayBenchWebFluxRoutesAutoConfiguration() {
	}

	@Bean
	RouteLocator gatewayBenchRouteLocator(GatewayFilters filters, RouteLocatorBuilder builder, GatewayRoutes routes) {
		return filters.routes(builder, routes.routes());
	}

	@Bean
	SmartInitializingSingleton gatewayBenchUpstreamReferences(GatewayProperties properties, Upstreams upstreams,
			FilterSettings settings) {
		return () -> {
			List<RouteDefinition> routes = properties.getRoutes();
			for (int i = 0; i < routes.size(); i++) {
				NativeRoutes.check("%s.routes[%d].uri".formatted(GatewayProperties.PREFIX, i), routes.get(i).getUri(),
						upstreams);
				NativeRoutes.warnIfStrippedTwice(routes.get(i).getId(),
						Stream.concat(properties.getDefaultFilters().stream(), routes.get(i).getFilters().stream())
							.map(FilterDefinition::getName),
						settings.scope());
			}
		};
	}

}
