package io.gatewaybench.autoconfigure.webflux;

import java.time.Duration;

import io.gatewaybench.Flavour;
import io.gatewaybench.netty.TunedNetty;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of Reactor Netty's server for the WebFlux gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebFluxAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ RoutePredicateHandlerMapping.class, HttpServer.class, NettyServerCustomizer.class })
@ConditionalOnBooleanProperty(
		name = { GatewayProperties.PREFIX + ".enabled", "gateway-bench.enabled", "gateway-bench.server.tuned" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebFluxServerAutoConfiguration {

	GatewayBenchWebFluxServerAutoConfiguration() {
	}

	@Bean
	NettyServerCustomizer gatewayBenchServerCustomizer(Environment environment) {
		Duration headTimeout = Binder.get(environment)
			.bind("gateway-bench.server.head-timeout", Duration.class)
			.orElse(Duration.ofSeconds(20));
		return (server) -> TunedNetty.server(server, headTimeout);
	}

	@Bean
	static CancelledStreamsCustomizer gatewayBenchCancelledStreamsCustomizer(Environment environment) {
		return new CancelledStreamsCustomizer(
				environment.getProperty("gateway-bench.server.max-cancelled-streams", Integer.class, 1000));
	}

	/**
	 * Comes after Spring Boot's own, at 0, which sets the settings of HTTP/2 anew.
	 *
	 * @param most how many streams of a connection may be cancelled
	 */
	record CancelledStreamsCustomizer(
			int most) implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory>, Ordered {

		@Override
		public int getOrder() {
			return 1;
		}

		@Override
		public void customize(NettyReactiveWebServerFactory factory) {
			factory.addServerCustomizers((server) -> TunedNetty.cancelledStreams(server, this.most));
		}

	}

}
