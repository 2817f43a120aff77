package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.autoconfigure.NativeRoutes;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.internal.routing.RouteLoader;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctionDefinition;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Auto-configuration of routes on WebMVC: the starter's, native ones to its upstreams,
 * and their index. It comes after the gateway, so that native routes are asked first.
 * That moves the gateway forward, so the scope for refreshes is named first: the
 * gateway's routes can only be refreshed if that scope is there before the gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebMvcAutoConfiguration.class,
		afterName = { "org.springframework.cloud.autoconfigure.RefreshAutoConfiguration",
				"org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration" })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebMvcRoutesAutoConfiguration {

	GatewayBenchWebMvcRoutesAutoConfiguration() {
	}

	@Bean
	StarterRoutes gatewayBenchStarterRoutes(GatewayRoutes routes,
			@Qualifier("mvcPatternParser") ObjectProvider<PathPatternParser> parser) {
		return new StarterRoutes(routes, () -> parser.getIfAvailable(() -> PathPatternParser.defaultInstance));
	}

	@Bean
	RouterFunction<ServerResponse> gatewayBenchRouterFunction(StarterRoutes routes) {
		return RouterList.of(routes);
	}

	/**
	 * Without the index, routes that are not built yet would be built by a request.
	 */
	@Bean
	RouteLoader gatewayBenchRouteLoader(StarterRoutes routes, ObjectProvider<RouteLookup> lookup) {
		return () -> {
			routes.routers();
			lookup.ifAvailable(RouteLookup::refresh);
		};
	}

	/**
	 * Comes before the gateway's router of the routes in its properties. That router,
	 * when another one is added to it, puts the routes of that moment in its place, and a
	 * refresh changes nothing any more. Without the index Spring MVC adds all others to
	 * the first one.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@ConditionalOnBooleanProperty(name = "gateway-bench.route-index.enabled", havingValue = false)
	RouterFunction<ServerResponse> gatewayBenchFirstRouterFunction() {
		return RouterList.of(List.of());
	}

	/**
	 * The gateway looks it up by this name when a route's URI is {@code rr://name}.
	 */
	@Bean
	Function<RouteProperties, HandlerFunctionDefinition> rrHandlerFunctionDefinition() {
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
				NativeRoutes.check("%s.routes-map.%s.uri".formatted(GatewayMvcProperties.PREFIX, id), route.getUri(),
						upstreams);
				warnIfStrippedTwice(id, route, settings);
			});
		};
	}

	private static void warnIfStrippedTwice(@Nullable String id, RouteProperties route, FilterSettings settings) {
		NativeRoutes.warnIfStrippedTwice(id, route.getFilters().stream().map(FilterProperties::getName),
				settings.scope());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "gateway-bench.route-index.enabled", matchIfMissing = true)
	static class RouteIndexConfiguration {

		@Bean
		static RouteLookup gatewayBenchRouteLookup() {
			return new RouteLookup();
		}

		@Bean
		RouteIndexHolder<?> gatewayBenchRouteIndex(RouteLookup lookup) {
			return lookup.index();
		}

		/**
		 * In the thread of the refresh, which gets the errors in new routes.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(RefreshScopeRefreshedEvent.class)
		record RefreshConfiguration(RouteLookup lookup) implements ApplicationListener<RefreshScopeRefreshedEvent> {

			@Override
			public void onApplicationEvent(RefreshScopeRefreshedEvent event) {
				this.lookup.refresh();
			}

		}

	}

}
