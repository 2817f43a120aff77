package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.routing.RouteIndexHolder;
import io.gatewaybench.webmvc.RouteLookup;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the indexed route lookup for the WebMVC gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "org.springframework.cloud.autoconfigure.RefreshAutoConfiguration",
		"org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration" })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled",
		"gateway-bench.route-index.enabled" }, matchIfMissing = true)
public final class GatewayBenchWebMvcRouteIndexAutoConfiguration {

	private static final Log logger = LogFactory.getLog(GatewayBenchWebMvcRouteIndexAutoConfiguration.class);

	GatewayBenchWebMvcRouteIndexAutoConfiguration() {
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
	static RouteIndexPostProcessor gatewayBenchRouteIndexPostProcessor(ObjectProvider<RouteLookup> lookup) {
		return new RouteIndexPostProcessor(lookup);
	}

	@Bean
	SmartInitializingSingleton gatewayBenchRouteIndexCheck(RouteLookup lookup) {
		return () -> {
			if (!lookup.isInPlace()) {
				logger
					.warn("The starter could not put its index into Spring MVC's RouterFunctionMapping, so the gateway"
							+ " tries routes one after another. If you want that, set gateway-bench.route-index.enabled to"
							+ " false");
			}
		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RefreshScopeRefreshedEvent.class)
	static class RefreshConfiguration {

		@Bean
		RouteRefreshListener gatewayBenchRouteRefreshListener(RouteLookup lookup) {
			return new RouteRefreshListener(lookup);
		}

	}

}
