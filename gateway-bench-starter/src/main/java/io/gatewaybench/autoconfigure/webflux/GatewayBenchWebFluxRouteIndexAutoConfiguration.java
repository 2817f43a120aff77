package io.gatewaybench.autoconfigure.webflux;

import java.util.List;

import io.gatewaybench.routing.RouteIndexHolder;
import io.gatewaybench.webflux.RouteLookup;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.accept.ApiVersionStrategy;

/**
 * Auto-configuration of the indexed route lookup for the WebFlux gateway. It comes before
 * the gateway, which then has neither bean of its own. The beans have the gateway's
 * names. Beans of the application stay.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RoutePredicateHandlerMapping.class)
@ConditionalOnBooleanProperty(
		name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled", "gateway-bench.route-index.enabled" },
		matchIfMissing = true)
@ConditionalOnMissingBean(RoutePredicateHandlerMapping.class)
public final class GatewayBenchWebFluxRouteIndexAutoConfiguration {

	GatewayBenchWebFluxRouteIndexAutoConfiguration() {
	}

	@Bean
	RouteLookup gatewayBenchRouteLookup() {
		return new RouteLookup();
	}

	@Bean
	RouteIndexHolder<?> gatewayBenchRouteIndex(RouteLookup lookup) {
		return lookup.index();
	}

	@Bean
	@ConditionalOnMissingBean
	FilteringWebHandler filteringWebHandler(List<GlobalFilter> globalFilters, GatewayProperties properties) {
		return RouteLookup.webHandler(globalFilters, properties);
	}

	@Bean
	RoutePredicateHandlerMapping routePredicateHandlerMapping(FilteringWebHandler webHandler, RouteLocator routeLocator,
			GlobalCorsProperties globalCorsProperties, Environment environment, RouteLookup lookup,
			ObjectProvider<ApiVersionStrategy> apiVersionStrategy) {
		RoutePredicateHandlerMapping mapping = lookup.handlerMapping(webHandler, routeLocator, globalCorsProperties,
				environment);
		apiVersionStrategy.ifAvailable(mapping::setApiVersionStrategy);
		return mapping;
	}

}
