package io.gatewaybench.actuate;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of what operators see: the endpoint {@code gatewaybench}, the health
 * of upstreams, and what is on.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchAutoConfiguration.class)
@ConditionalOnBean(Exchanges.class)
public final class GatewayBenchActuatorAutoConfiguration {

	GatewayBenchActuatorAutoConfiguration() {
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		GatewayBenchEndpoint gatewayBenchEndpoint(Flavour flavour, Upstreams upstreams,
				ObjectProvider<RouteIndexHolder<?>> routes, ClientInUse client, Exchanges exchanges) {
			return new GatewayBenchEndpoint(flavour, upstreams, routes.getIfAvailable(), client.limits(),
					exchanges.metrics());
		}

	}

	/**
	 * Off by default, as all that tells of the inside of an application. Names neither
	 * upstreams nor routes.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
	static class InfoConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "gatewayBenchInfoContributor")
		@ConditionalOnEnabledInfoContributor(value = "gatewaybench", fallback = InfoContributorFallback.DISABLE)
		InfoContributor gatewayBenchInfoContributor(Flavour flavour, FilterSettings settings, Upstreams upstreams) {
			return (info) -> info.withDetail("gatewayBench", Map.of("flavour", flavour.label(), "features",
					features(settings), "upstreams", upstreams.names().size()));
		}

		private static List<String> features(FilterSettings settings) {
			return Arrays.stream(Feature.values())
				.filter(settings.scope().enabled()::has)
				.map(Feature::filterName)
				.toList();
		}

	}

	/**
	 * Off by default: a gateway that is taken out of service because one of its upstreams
	 * is down would take all others with it.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CompositeHealthContributor.class)
	@ConditionalOnBooleanProperty("management.health.gatewaybench.enabled")
	static class HealthConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "gatewayBenchHealthContributor")
		CompositeHealthContributor gatewayBenchHealthContributor(Upstreams upstreams) {
			return CompositeHealthContributor.fromMap(
					upstreams.all().stream().collect(Collectors.toMap(Upstream::name, Function.identity())),
					UpstreamHealthIndicator::new);
		}

	}

}
