package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.Flavour;
import org.apache.catalina.connector.Connector;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of Tomcat for the WebMVC gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchWebMvcAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ ProxyExchange.class, Connector.class, ConfigurableTomcatWebServerFactory.class })
@ConditionalOnBooleanProperty(
		name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled", "gateway-bench.server.tuned" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
@ImportRuntimeHints({ StreamResets.Hints.class, BareBodies.Hints.class, GatewayHttp11.Hints.class })
public final class GatewayBenchWebMvcServerAutoConfiguration {

	GatewayBenchWebMvcServerAutoConfiguration() {
	}

	@Bean
	static TomcatTuning gatewayBenchServerCustomizer(Environment environment) {
		return new TomcatTuning(environment);
	}

}
