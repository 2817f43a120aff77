package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.metrics.AttemptObservationContext;
import io.gatewaybench.metrics.AttemptObservationConvention;
import io.gatewaybench.metrics.ExchangeObservationContext;
import io.gatewaybench.metrics.ExchangeObservationConvention;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.transport.SenderContext;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.gatewaybench.contract.TwoInstances.get;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Observations of the gateway, by which traces go on.
 */
@ExtendWith(OutputCaptureExtension.class)
class ObservationContract {

	private static final String TRACING = "spring.main.sources=" + Tracing.class.getName();

	private static final String ON = "gateway-bench.observations.enabled=true";

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

	@Test
	void anExchangeAndItsAttemptAreSpansBelowTheServersAndTheAttemptGoesOnAtTheUpstream() throws Exception {
		try (RunningGateway running = this.instances.start(ON, Traces.ON)) {
			get(running);
			Traces traces = Traces.await(running, 1);
			assertThat(traces.describe()).isEqualTo("""
					exchange the-route internal OK {outcome=SUCCESS, route=the-route, status=200}
					  attempt service client UNSET %s
					""".formatted(attempt(this.instances.bad(), "none", "SUCCESS", "200")));
			assertGoesOn(this.instances.bad(), traces.attempt(0));
		}
	}

	@Test
	void aFailedInstanceAndTheNextOneAreAttemptsOfOneExchange() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = this.instances.start(ON, Traces.ON)) {
			assertThat(get(running).text()).isEqualTo("ok");
			Traces traces = Traces.await(running, 1);
			assertThat(traces.describe()).isEqualTo("""
					exchange the-route internal OK {outcome=SUCCESS, route=the-route, status=200}
					  attempt service client ERROR %s
					  attempt service client UNSET %s
					""".formatted(attempt(this.instances.bad(), "BROKEN", "ABORTED", "none"),
					attempt(this.instances.good(), "none", "SUCCESS", "200")));
			assertGoesOn(this.instances.bad(), traces.attempt(0));
			assertGoesOn(this.instances.good(), traces.attempt(1));
		}
	}

	@Test
	void aBodyThatBreaksOffIsAFailureOfItsAttempt() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		this.instances.good().answer(TwoInstances.OBJECT);
		try (RunningGateway running = this.instances.start(ON, Traces.ON)) {
			assertThat(get(running).text()).startsWith("{\"a\":1");
			assertThat(Traces.await(running, 1).describe()).isEqualTo("""
					exchange the-route internal OK {outcome=SUCCESS, route=the-route, status=200}
					  attempt service client ERROR %s
					  attempt service client UNSET %s
					""".formatted(attempt(this.instances.bad(), "BROKEN", "ABORTED", "200"),
					attempt(this.instances.good(), "none", "SUCCESS", "200")));
		}
	}

	@Test
	void whatTheClientIsToldWhenAllInstancesFailIsTheOutcomeOfTheExchange() throws Exception {
		try (RunningGateway running = this.instances.start(ON, Traces.ON)) {
			this.instances.bad().close();
			this.instances.good().close();
			assertThat(get(running).status()).isEqualTo(502);
			assertThat(Traces.await(running, 1).describe()).isEqualTo("""
					exchange the-route internal OK {outcome=SERVER_ERROR, route=the-route, status=502}
					  attempt service client ERROR %s
					  attempt service client ERROR %s
					""".formatted(attempt(this.instances.bad(), "REFUSED", "ABORTED", "none"),
					attempt(this.instances.good(), "REFUSED", "ABORTED", "none")));
		}
	}

	@Test
	void whatTheGatewayRetriesIsOneExchangeToo() throws Exception {
		this.instances.bad().answer(TwoInstances.ERROR);
		String retry = this.gateway.nativePrefix() + ".routes[0].filters[1]";
		try (RunningGateway running = this.gateway.startWithNativeRoute("rr://service", List.of("RecordGatewayMetrics"),
				TwoInstances.UPSTREAM + "instances[0]=" + this.instances.bad().url(),
				TwoInstances.UPSTREAM + "instances[1]=" + this.instances.good().url(), retry + ".name=Retry",
				retry + ".args.retries=1", retry + ".args.methods=GET", ON, Traces.ON)) {
			assertThat(get(running).status()).isEqualTo(200);
			Traces traces = Traces.await(running, 1);
			assertThat(traces.describe().replace("the-native-route", "the-route")).isEqualTo("""
					exchange the-route internal OK {outcome=SUCCESS, route=the-route, status=200}
					  attempt service client UNSET %s
					  attempt service client UNSET %s
					""".formatted(attempt(this.instances.bad(), "none", "SERVER_ERROR", "500"),
					attempt(this.instances.good(), "none", "SUCCESS", "200")));
			assertGoesOn(this.instances.good(), traces.attempt(1));
		}
	}

	@Test
	void aRouteToAnAddressHasAttemptsToo() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.instances.good().url(),
				List.of("AddGatewayHeaders"), ON, Traces.ON)) {
			get(running);
			this.instances.good().close();
			this.instances.good().closeConnections();
			get(running);
			Traces traces = Traces.await(running, 2);
			assertThat(traces.attempts()).hasSize(2);
			assertThat(traces.describe()).contains("  attempt none client UNSET {failure=none",
					"  attempt none client ERROR {failure=REFUSED");
			assertGoesOn(this.instances.good(), traces.attempt(0));
		}
	}

	@Test
	void whatTheStarterDoesNotHandleIsObservedByTheGateway() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.instances.good().url(), List.of(), ON,
				Traces.ON)) {
			get(running);
			Traces traces = Traces.await(running, 1);
			assertThat(traces.describe()).doesNotContain("exchange ");
			assertGoesOn(this.instances.good(), traces.attempt(0));
		}
	}

	@Test
	void unlessTheApplicationAsksForItNothingIsObservedButByTheGateway() throws Exception {
		try (RunningGateway running = this.instances.start(Traces.ON)) {
			get(running);
			Traces traces = Traces.await(running, 1);
			assertThat(traces.describe()).doesNotContain("exchange ");
			assertThat(traces.attempts()).hasSize(1);
			assertThat(running.context().getBean(MeterRegistry.class).find("gateway.bench.exchange").timers())
				.isEmpty();
		}
	}

	@Test
	void aHandlerThatFailsBreaksNoRequest(CapturedOutput output) throws Exception {
		try (RunningGateway running = this.instances.start(ON, "spring.main.sources=" + Failing.class.getName())) {
			for (int i = 0; i < 3; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(output).containsOnlyOnce("An ObservationHandler or a convention has failed."));
		}
	}

	@Test
	void conventionsOfTheApplicationChangeTheMeters() throws Exception {
		try (RunningGateway running = this.instances.start(ON, "spring.main.sources=" + Conventions.class.getName())) {
			for (int i = 0; i < 3; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			MeterRegistry registry = running.context().getBean(MeterRegistry.class);
			Awaitility.await().untilAsserted(() -> {
				assertThat(registry.get("my.exchange").tag("route", "the-route").timer().count()).isEqualTo(3);
				assertThat(registry.get("gateway.bench.attempt").tag("only", "this").timer().count()).isEqualTo(3);
			});
		}
	}

	private static String attempt(RawUpstream instance, String failure, String outcome, String status) {
		return "{failure=%s, instance=127.0.0.1:%d, outcome=%s, peer.service=service, route=the-route, status=%s, upstream=service}"
			.formatted(failure, instance.port(), outcome, status);
	}

	private static void assertGoesOn(RawUpstream instance, SpanData attempt) throws Exception {
		assertThat(instance.request().headers(Tracing.HEADER))
			.containsExactly("00-%s-%s-01".formatted(attempt.getTraceId(), attempt.getSpanId()));
	}

	@Configuration(proxyBeanMethods = false)
	static class Conventions {

		@Bean
		ExchangeObservationConvention exchanges() {
			return new ExchangeObservationConvention() {

				@Override
				public String getName() {
					return "my.exchange";
				}

			};
		}

		@Bean
		AttemptObservationConvention attempts() {
			return new AttemptObservationConvention() {

				@Override
				public KeyValues getLowCardinalityKeyValues(AttemptObservationContext context) {
					return KeyValues.of("only", "this");
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Failing {

		@Bean
		ObservationHandler<Observation.Context> failing() {
			return new ObservationHandler<>() {

				@Override
				public void onStart(Observation.Context context) {
					throw new IllegalStateException("By the test");
				}

				@Override
				public void onStop(Observation.Context context) {
					throw new IllegalStateException("By the test");
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return context instanceof AttemptObservationContext
							|| context instanceof ExchangeObservationContext;
				}

			};
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
