package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.rewrite.GatewayMetadataContributor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members that the application adds to the {@code _gateway} field.
 */
class MetadataContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	MetadataContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.upstream = new RawUpstream();
		this.upstream.answer(TwoInstances.OBJECT);
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.upstream.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "splice", "jackson3", "jackson2" })
	void aBeanOfTheApplicationAddsMembersToTheField(String engine) throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.body-rewrite.engine=" + engine, "spring.main.sources=" + Zone.class.getName())) {
			assertThat(HttpExchange.get(running.port(), "/service/x").text()).matches(
					"""
							\\{"a":1,"_gateway":\\{"type":"%s","timestamp":\\d+,"processed":true,"zone":"\\\\"1\\\\"","cores":2}}"""
						.formatted(this.gateway.flavour().label()));
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Zone {

		@Bean
		GatewayMetadataContributor zone() {
			return (metadata) -> metadata.add("zone", "\"1\"").add("cores", () -> 2);
		}

	}

}
