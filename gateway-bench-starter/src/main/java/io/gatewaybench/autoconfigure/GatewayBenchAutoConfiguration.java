package io.gatewaybench.autoconfigure;

import java.time.Duration;

import javax.net.ssl.SSLContext;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.GatewayHeadersCustomizer;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.routing.RouteLoader;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.internal.upstream.HealthCheckSettings;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.metrics.AttemptObservationConvention;
import io.gatewaybench.metrics.ExchangeObservationConvention;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.GatewayMetadataContributor;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.HealthChecks;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of what the filters of both flavours share.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBean(Flavour.class)
@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
@EnableConfigurationProperties(GatewayBenchProperties.class)
public final class GatewayBenchAutoConfiguration {

	private static final String ROUTES = "gatewayBenchRoutes";

	GatewayBenchAutoConfiguration() {
	}

	@Bean
	@ConditionalOnClass(name = "org.springframework.cloud.gateway.config.HttpClientProperties")
	static HttpClientDefaults gatewayBenchHttpClientDefaults(ConfigurableEnvironment environment) {
		return new HttpClientDefaults(environment);
	}

	@Bean
	GatewayBenchSettings gatewayBenchSettings(GatewayBenchProperties properties, Flavour flavour,
			ConfigurableEnvironment environment) {
		LibraryVersions.warnOfHoles();
		ConfiguredNames.check(environment, properties.upstreams().keySet());
		return new GatewayBenchSettings(properties, flavour, environment.getProperty("spring.application.name"));
	}

	@Bean
	@ConditionalOnMissingBean
	Upstreams gatewayBenchUpstreams(GatewayBenchSettings settings, ObjectProvider<InstanceChooser> chooser,
			ObjectProvider<SslBundles> bundles, ObjectProvider<DiscoveryClient> discovery) {
		return settings.upstreams().all(chooser.getIfAvailable(), bundles.getIfAvailable(), discovery::getIfAvailable);
	}

	@Bean
	BeforeServer gatewayBenchDiscovery(GatewayBenchSettings settings, Upstreams upstreams) {
		Duration interval = settings.upstreams().lookupInterval();
		return new BeforeServer(2, () -> upstreams.discover(interval));
	}

	@Bean
	BeforeServer gatewayBenchHealthChecks(GatewayBenchSettings settings, Upstreams upstreams, Exchanges exchanges,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ClientInUse> client) {
		HealthCheckSettings checks = settings.upstreams().healthChecks(upstreams);
		return new BeforeServer(1, () -> {
			if (checks.paths().isEmpty()) {
				return null;
			}
			SSLContext usual = client.getObject().certificates().get();
			return HealthChecks.start(upstreams, checks, exchanges.metrics(), (bundle) -> (bundle != null)
					? bundles.getObject().getBundle(bundle).createSslContext() : usual)::close;
		});
	}

	@Bean
	Mirrors gatewayBenchMirrors(GatewayBenchSettings settings, Upstreams upstreams, DeadlineTimer timer,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ClientInUse> client) {
		return settings.upstreams()
			.mirrors(upstreams, timer,
					(bundle) -> (bundle != null) ? bundles.getObject().getBundle(bundle).createSslContext()
							: client.getObject().certificates().get());
	}

	@Bean
	DeadlineTimer gatewayBenchDeadlineTimer() {
		return new DeadlineTimer();
	}

	@Bean(ROUTES)
	@ConditionalOnMissingBean
	GatewayRoutes gatewayBenchRoutes(GatewayBenchSettings settings, Upstreams upstreams) {
		return settings.routes(upstreams);
	}

	@Bean
	FilterSettings gatewayBenchFilterSettings(GatewayBenchSettings settings,
			ObjectProvider<GatewayHeadersCustomizer> customizers,
			ObjectProvider<GatewayMetadataContributor> contributors) {
		return settings.filters(customizers.orderedStream().toList(), contributors.orderedStream());
	}

	@Bean
	GatewayObservations gatewayBenchObservations(GatewayBenchSettings settings,
			ObjectProvider<ObservationRegistry> registry, ObjectProvider<ExchangeObservationConvention> exchanges,
			ObjectProvider<AttemptObservationConvention> attempts) {
		return settings.isObserved() ? new GatewayObservations(registry.getIfAvailable(() -> ObservationRegistry.NOOP),
				exchanges.getIfAvailable(), attempts.getIfAvailable()) : GatewayObservations.OFF;
	}

	@Bean
	Exchanges gatewayBenchExchanges(ObjectProvider<GatewayMetrics> metrics, GatewayObservations observations,
			DeadlineTimer timer) {
		return new Exchanges(GatewayMetrics.composite(metrics.orderedStream().toList()), observations, timer);
	}

	@Bean
	WebSockets gatewayBenchWebSockets(GatewayBenchSettings settings, Exchanges exchanges) {
		return settings.webSockets(exchanges);
	}

	@Bean
	ConnectionSettings gatewayBenchConnectionSettings(GatewayBenchSettings settings) {
		return settings.upstreams().connections();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EnvironmentChangeEvent.class)
	static class RefreshConfiguration {

		@Bean
		ApplicationListener<EnvironmentChangeEvent> gatewayBenchConfigurationRefresh(GatewayBenchSettings settings,
				GatewayBenchProperties properties, Upstreams upstreams,
				@Qualifier(ROUTES) ObjectProvider<GatewayRoutes> routes, ObjectProvider<RouteLoader> loader,
				Environment environment) {
			return new ConfigurationRefresh(settings, properties, upstreams, routes.getIfAvailable(), loader,
					environment);
		}

	}

}
