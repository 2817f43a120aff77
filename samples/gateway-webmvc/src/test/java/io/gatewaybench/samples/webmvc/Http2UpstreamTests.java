package io.gatewaybench.samples.webmvc;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Upstreams of HTTP/2 without the client that speaks it.
 */
class Http2UpstreamTests {

	@Test
	void theStartFailsAndTellsWhatToAdd() {
		SpringApplication application = new SpringApplication(WebMvcGateway.class);
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> application.run("--spring.config.location=optional:classpath:/no-configuration/",
					"--server.port=0", "--gateway-bench.upstreams.orders.instances[0]=http://127.0.0.1:1",
					"--gateway-bench.upstreams.orders.protocol=http2"))
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationPropertyValueException.class)
			.withMessageContaining("gateway-bench.upstreams.orders.protocol")
			.withMessageContaining("io.projectreactor.netty:reactor-netty-http");
	}

}
