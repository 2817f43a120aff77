package io.gatewaybench.autoconfigure;

import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatewaybench.Flavour;
import io.gatewaybench.actuate.GatewayBenchEndpoint;
import io.gatewaybench.actuate.UpstreamHealthIndicator;
import io.gatewaybench.routing.RouteIndexHolder;
import io.gatewaybench.upstream.ConnectionSettings;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of what operators see: the endpoint {@code gatewaybench}, and the
 * health of upstreams.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchAutoConfiguration.class)
@ConditionalOnBean(GatewayBenchSettings.class)
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
				ObjectProvider<RouteIndexHolder<?>> routes, ConnectionSettings connections) {
			return new GatewayBenchEndpoint(flavour, upstreams, routes.getIfAvailable(), connections);
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
