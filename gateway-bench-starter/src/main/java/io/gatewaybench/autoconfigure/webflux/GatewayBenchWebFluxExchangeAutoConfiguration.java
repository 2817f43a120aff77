package io.gatewaybench.autoconfigure.webflux;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLException;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.TrustedClients;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.ClientInUse;
import io.gatewaybench.upstream.DeadlineTimer;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.webflux.GatewayFilters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.webflux.autoconfigure.WebFluxProperties;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool.PoolType;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.support.tagsprovider.GatewayTagsProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.MimeTypeUtils;

/**
 * Auto-configuration of the exchange with upstreams on WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebFluxAutoConfiguration.class,
		afterName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ RoutePredicateHandlerMapping.class, HttpClient.class })
@ConditionalOnBooleanProperty(name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebFluxExchangeAutoConfiguration {

	private static final String TRUSTED_PROXIES = GatewayProperties.PREFIX + ".trusted-proxies";

	GatewayBenchWebFluxExchangeAutoConfiguration() {
	}

	@Bean
	GatewayFilters gatewayBenchFilters(FilterSettings settings, WebFluxProperties webFlux, Upstreams upstreams,
			ObjectProvider<GatewayMetrics> metrics, GatewayObservations observations, DeadlineTimer timer) {
		String basePath = webFlux.getBasePath();
		return new GatewayFilters(settings, (basePath != null) ? basePath : "", upstreams,
				GatewayMetrics.composite(metrics.orderedStream().toList()), observations, timer);
	}

	@Bean
	GlobalFilter gatewayBenchResponseFilter(GatewayFilters filters) {
		return filters.response();
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "server.compression.enabled")
	GlobalFilter gatewayBenchVaryFilter(ServerProperties server) {
		return GatewayFilters
			.vary(Arrays.stream(server.getCompression().getMimeTypes()).map(MimeTypeUtils::parseMimeType).toList());
	}

	@Bean
	GlobalFilter gatewayBenchUpstreamFilter(GatewayFilters filters) {
		return filters.upstream();
	}

	@Bean
	HttpHeadersFilter gatewayBenchHeadersFilter() {
		return GatewayFilters.headers();
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
	static GatewayFiltersPostProcessor gatewayBenchFiltersPostProcessor(ObjectProvider<HttpClient> client,
			ObjectProvider<List<HttpHeadersFilter>> headersFilters, ObjectProvider<HttpClientProperties> properties,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<GatewayObservationConvention> convention, Environment environment) {
		return new GatewayFiltersPostProcessor(client, headersFilters, properties, bundles, observations, convention,
				new TrustedClients(environment.getProperty(TRUSTED_PROXIES)));
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
