package io.gatewaybench.autoconfigure.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.upstream.ConnectionSettings;
import io.gatewaybench.webflux.GatewayFilters;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the gateway's client on WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebFluxAutoConfiguration.class,
		afterName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ RoutePredicateHandlerMapping.class, HttpClient.class })
@ConditionalOnBooleanProperty(
		name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled", "gateway-bench.http-client.tuned" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebFluxHttpClientAutoConfiguration {

	private static final Log logger = LogFactory.getLog(GatewayBenchWebFluxHttpClientAutoConfiguration.class);

	GatewayBenchWebFluxHttpClientAutoConfiguration() {
	}

	/**
	 * Needs the settings only to have them checked before the gateway builds its client.
	 */
	@Bean
	HttpClientCustomizer gatewayBenchHttpClientCustomizer(ConnectionSettings settings,
			HttpClientProperties properties) {
		Pool pool = properties.getPool();
		logger.info(
				"Requests to upstreams go through Reactor Netty's client, pool %s, at most %s connections to an instance,"
					.formatted(pool.getType(), pool.getMaxConnections())
						+ " %s ms to wait for one, closed after %s without use or at an age of %s"
							.formatted(pool.getAcquireTimeout(), pool.getMaxIdleTime(), pool.getMaxLifeTime()));
		return GatewayFilters.client();
	}

}
