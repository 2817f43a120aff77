package io.gatewaybench.webflux;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.autoconfigure.NativeRoutes;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.TrustedClients;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.routing.RouteLoader;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.webflux.autoconfigure.WebFluxProperties;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool.PoolType;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter.Type;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.support.tagsprovider.GatewayTagsProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.MimeTypeUtils;

/**
 * Auto-configuration of what is behind the WebFlux gateway: routes, the exchange with
 * upstreams, and the client.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebFluxAutoConfiguration.class,
		afterName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({ RoutePredicateHandlerMapping.class, HttpClient.class })
@ConditionalOnBooleanProperty(name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebFluxUpstreamAutoConfiguration {

	private static final Log logger = LogFactory.getLog(GatewayBenchWebFluxUpstreamAutoConfiguration.class);

	private static final String TRUSTED_PROXIES = GatewayProperties.PREFIX + ".trusted-proxies";

	GatewayBenchWebFluxUpstreamAutoConfiguration() {
	}

	@Bean
	RouteLocator gatewayBenchRouteLocator(RouteLocatorBuilder builder, GatewayRoutes routes, Upstreams upstreams) {
		return new StarterRoutes(builder, routes, upstreams);
	}

	@Bean
	RouteLoader gatewayBenchRouteLoader(ApplicationEventPublisher publisher) {
		return () -> publisher.publishEvent(new RefreshRoutesEvent(this));
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

	@Bean
	GlobalFilter gatewayBenchResponseFilter(FilterSettings settings, WebFluxProperties webFlux, Exchanges exchanges) {
		String basePath = webFlux.getBasePath();
		return new ResponseFilter(settings, (basePath != null) ? basePath : "", exchanges.metrics());
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "server.compression.enabled")
	GlobalFilter gatewayBenchVaryFilter(ServerProperties server) {
		return new VaryFilter(
				Arrays.stream(server.getCompression().getMimeTypes()).map(MimeTypeUtils::parseMimeType).toList());
	}

	@Bean
	GlobalFilter gatewayBenchUpstreamFilter(FilterSettings settings, Upstreams upstreams, Mirrors mirrors,
			WebSockets webSockets, Environment environment) {
		return new UpstreamFilter(upstreams, settings.bodyTimeout(), settings.requestBodies(), mirrors,
				passesWebSockets(environment) ? webSockets : null);
	}

	@Bean
	HttpHeadersFilter gatewayBenchHeadersFilter() {
		return new MutableHeadersFilter();
	}

	@Bean
	HttpHeadersFilter gatewayBenchRequestHeadersFilter(FilterSettings settings) {
		return new GatewayHeadersFilter(Type.REQUEST, settings.requestHeaders());
	}

	@Bean
	HttpHeadersFilter gatewayBenchResponseHeadersFilter(FilterSettings settings) {
		return new GatewayHeadersFilter(Type.RESPONSE, settings.responseHeaders());
	}

	@Bean
	HttpHeadersFilter gatewayBenchTrailersFilter() {
		return new TrailersFilter();
	}

	@Bean
	static GatewayFiltersPostProcessor gatewayBenchFiltersPostProcessor(ObjectProvider<HttpClient> client,
			ObjectProvider<List<HttpHeadersFilter>> headersFilters, ObjectProvider<HttpClientProperties> properties,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<GatewayObservationConvention> convention, Environment environment) {
		return new GatewayFiltersPostProcessor(client, headersFilters, properties, bundles, observations, convention,
				new TrustedClients(environment.getProperty(TRUSTED_PROXIES)), passesWebSockets(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayObservationConvention gatewayBenchObservationConvention() {
		return new RegisteredMethods();
	}

	@Bean
	ClientInUse gatewayBenchClientInUse(HttpClient client, HttpClientProperties properties,
			ObjectProvider<SslBundles> bundles) {
		return new ClientInUse(limits(client.configuration().connectionProvider(), properties.getPool()), () -> {
			try {
				return new ClientCertificates(properties.getSsl(),
						bundles.getIfAvailable(DefaultSslBundleRegistry::new))
					.configureSsl(null);
			}
			catch (SSLException ex) {
				throw new IllegalStateException("The certificates of the gateway's client can't be used", ex);
			}
		});
	}

	private static boolean passesWebSockets(Environment environment) {
		return environment.getProperty("gateway-bench.web-sockets.enabled", Boolean.class, true);
	}

	/**
	 * Another pool of the application tells only how many connections it has.
	 */
	private static ClientInUse.Limits limits(ConnectionProvider provider, Pool pool) {
		int most = provider.maxConnections();
		Integer perInstance = (most > 0 && most < Integer.MAX_VALUE) ? most : null;
		if (!pool.getName().equals(provider.name())) {
			return new ClientInUse.Limits(perInstance, null, null, null, null);
		}
		return new ClientInUse.Limits(perInstance, null,
				(pool.getType() == PoolType.FIXED) ? Duration.ofMillis(pool.getAcquireTimeout()) : null,
				pool.getMaxIdleTime(), pool.getMaxLifeTime());
	}

	/**
	 * Needs the settings only to have them checked before the gateway builds its client.
	 */
	@Bean
	@ConditionalOnBooleanProperty(name = "gateway-bench.http-client.tuned", matchIfMissing = true)
	HttpClientCustomizer gatewayBenchHttpClientCustomizer(ConnectionSettings settings,
			HttpClientProperties properties) {
		Pool pool = properties.getPool();
		logger.info(
				"Requests to upstreams go through Reactor Netty's client, pool %s, at most %s connections to an instance,"
					.formatted(pool.getType(), pool.getMaxConnections())
						+ " %s ms to wait for one, closed after %s without use or at an age of %s"
							.formatted(pool.getAcquireTimeout(), pool.getMaxIdleTime(), pool.getMaxLifeTime()));
		return new UpstreamClient();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MicrometerConfiguration {

		/**
		 * Of two values of a tag, the gateway takes the first.
		 */
		@Bean
		@Order(0)
		GatewayTagsProvider gatewayBenchMethodTag() {
			return (exchange) -> {
				String method = exchange.getRequest().getMethod().name();
				String named = GatewayObservations.method(method);
				return named.equals(method) ? Tags.empty() : Tags.of("httpMethod", named);
			};
		}

	}

}
