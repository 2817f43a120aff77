package io.gatewaybench.contract;

import java.io.IOException;
import java.util.Objects;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.transport.SenderContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.gatewaybench.contract.TwoInstances.get;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Observations of the gateway, by which traces go on.
 */
class ObservationContract {

	private static final String TRACING = "spring.main.sources=" + Tracing.class.getName();

	private final Gateway gateway;

	private TwoInstances instances;

	ObservationContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startInstances() throws IOException {
		this.instances = new TwoInstances(this.gateway);
	}

	@AfterEach
	void stopInstances() throws IOException {
		this.instances.close();
	}

	@Test
	void theTraceGoesOnAtTheUpstreamAlsoWhenTheRequestIsSentAgain() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = this.instances.start(TRACING)) {
			assertThat(get(running).text()).isEqualTo("ok");
			get(running);
			assertThat(this.instances.bad().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
			assertThat(this.instances.good().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
		}
	}

	@Test
	void theTraceOfTheClientIsReplaced() throws Exception {
		try (RunningGateway running = this.instances.start(TRACING)) {
			HttpExchange.send(running.port(), """
					GET /service/x HTTP/1.1\r
					Host: gateway\r
					%s: of-the-client\r
					Connection: close\r
					\r
					""".formatted(Tracing.HEADER));
			assertThat(this.instances.bad().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
		}
	}

	/**
	 * As Micrometer's tracing does it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Tracing {

		static final String HEADER = "traceparent";

		static final String VALUE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

		@Bean
		ObservationHandler<SenderContext<Object>> tracing() {
			return new ObservationHandler<>() {

				@Override
				public void onStart(SenderContext<Object> context) {
					context.getSetter().set(Objects.requireNonNull(context.getCarrier()), HEADER, VALUE);
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return context instanceof SenderContext<?>;
				}

			};
		}

	}

}
