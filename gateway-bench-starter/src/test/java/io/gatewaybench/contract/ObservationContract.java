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
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObservationContract {

	private static final String TRACING = "spring.main.sources=" + Tracing.class.getName();

	private static final String ON = "gateway-bench.observations.enabled=true";

	private final Gateway gateway;

	private TwoInstances instances;

	private RawUpstream leaving;

	private ClosedPort closed;

	private ClosedPort closedToo;

	/**
	 * With a tracing that observes the gateway's own attempts only.
	 */
	private RunningGateway traced;

	/**
	 * With a route for each test, as its first request goes to the bad instance.
	 */
	private RunningGateway observed;

	private InMemorySpanExporter spans;

	ObservationContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.instances = new TwoInstances(this.gateway);
		this.leaving = new RawUpstream();
		this.leaving.answer(TwoInstances.OK);
		this.closed = new ClosedPort();
		this.closedToo = new ClosedPort();
		List<String> all = this.instances.routes("repeated", "replaced");
		all.add(TRACING);
		this.traced = this.gateway.start(all.toArray(String[]::new));
		all = this.instances.routes("whole", "failing", "breaking");
		all.addAll(Gateway.route(3, "closed-route", "closed", List.of(this.closed.url(), this.closedToo.url())));
		all.addAll(this.gateway.nativeRoute(0, "retried-route", "/retried/**", "rr://retried",
				List.of("RecordGatewayMetrics")));
		String retry = this.gateway.nativePrefix() + ".routes[0].filters[1]";
		all.addAll(List.of("gateway-bench.upstreams.retried.instances[0]=" + this.instances.bad().url(),
				"gateway-bench.upstreams.retried.instances[1]=" + this.instances.good().url(), retry + ".name=Retry",
				retry + ".args.retries=1", retry + ".args.methods=GET", ON, Traces.ON));
		all.addAll(this.gateway.nativeRoute(1, "leaving", "/leaving/**", this.leaving.url(),
				List.of("AddGatewayHeaders")));
		all.addAll(this.gateway.nativeRoute(2, "plain", "/plain/**", this.instances.good().url(), List.of()));
		this.observed = this.gateway.start(all.toArray(String[]::new));
		this.spans = this.observed.context().getBean(InMemorySpanExporter.class);
	}

	@AfterAll
	void stop() throws IOException {
		this.traced.close();
		this.observed.close();
		this.instances.close();
		this.leaving.close();
		this.closed.close();
		this.closedToo.close();
	}

	/**
	 * Without the spans of the test before, which {@link Traces} would take for those of
	 * this one.
	 */
	@BeforeEach
	void startOver() throws IOException {
		this.instances.startOver();
		this.spans.reset();
	}

	@Test
	void theTraceGoesOnAtTheUpstreamAlsoWhenTheRequestIsSentAgain() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		assertThat(get(this.traced, "repeated").text()).isEqualTo("ok");
		get(this.traced, "repeated");
		assertThat(this.instances.bad().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
		assertThat(this.instances.good().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
	}

	@Test
	void theTraceOfTheClientIsReplaced() throws Exception {
		HttpExchange.send(this.traced.port(), """
				GET /replaced/x HTTP/1.1\r
				Host: gateway\r
				%s: of-the-client\r
				Connection: close\r
				\r
				""".formatted(Tracing.HEADER));
		assertThat(this.instances.bad().request().headers(Tracing.HEADER)).containsExactly(Tracing.VALUE);
	}

	@Test
	void anExchangeAndItsAttemptAreSpansBelowTheServersAndTheAttemptGoesOnAtTheUpstream() throws Exception {
		get(this.observed, "whole");
		Traces traces = Traces.await(this.observed, 1);
		assertThat(traces.describe()).isEqualTo("""
				exchange whole-route internal OK {outcome=SUCCESS, route=whole-route, status=200}
				  attempt whole client UNSET %s
				""".formatted(attempt("whole", this.instances.bad().url(), "none", "SUCCESS", "200")));
		assertGoesOn(this.instances.bad(), traces.attempt(0));
	}

	@Test
	void aFailedInstanceAndTheNextOneAreAttemptsOfOneExchange() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		assertThat(get(this.observed, "failing").text()).isEqualTo("ok");
		Traces traces = Traces.await(this.observed, 1);
		assertThat(traces.describe()).isEqualTo("""
				exchange failing-route internal OK {outcome=SUCCESS, route=failing-route, status=200}
				  attempt failing client ERROR %s
				  attempt failing client UNSET %s
				""".formatted(attempt("failing", this.instances.bad().url(), "BROKEN", "ABORTED", "none"),
				attempt("failing", this.instances.good().url(), "none", "SUCCESS", "200")));
		assertGoesOn(this.instances.bad(), traces.attempt(0));
		assertGoesOn(this.instances.good(), traces.attempt(1));
	}

	@Test
	void aBodyThatBreaksOffIsAFailureOfItsAttempt() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		this.instances.good().answer(TwoInstances.OBJECT);
		assertThat(get(this.observed, "breaking").text()).startsWith("{\"a\":1");
		assertThat(Traces.await(this.observed, 1).describe()).isEqualTo("""
				exchange breaking-route internal OK {outcome=SUCCESS, route=breaking-route, status=200}
				  attempt breaking client ERROR %s
				  attempt breaking client UNSET %s
				""".formatted(attempt("breaking", this.instances.bad().url(), "BROKEN", "ABORTED", "200"),
				attempt("breaking", this.instances.good().url(), "none", "SUCCESS", "200")));
	}

	@Test
	void whatTheClientIsToldWhenAllInstancesFailIsTheOutcomeOfTheExchange() throws Exception {
		assertThat(get(this.observed, "closed").status()).isEqualTo(502);
		assertThat(Traces.await(this.observed, 1).describe()).isEqualTo("""
				exchange closed-route internal OK {outcome=SERVER_ERROR, route=closed-route, status=502}
				  attempt closed client ERROR %s
				  attempt closed client ERROR %s
				""".formatted(attempt("closed", this.closed.url(), "REFUSED", "ABORTED", "none"),
				attempt("closed", this.closedToo.url(), "REFUSED", "ABORTED", "none")));
	}

	@Test
	void whatTheGatewayRetriesIsOneExchangeToo() throws Exception {
		this.instances.bad().answer(TwoInstances.ERROR);
		assertThat(get(this.observed, "retried").status()).isEqualTo(200);
		Traces traces = Traces.await(this.observed, 1);
		assertThat(traces.describe()).isEqualTo("""
				exchange retried-route internal OK {outcome=SUCCESS, route=retried-route, status=200}
				  attempt retried client UNSET %s
				  attempt retried client UNSET %s
				""".formatted(attempt("retried", this.instances.bad().url(), "none", "SERVER_ERROR", "500"),
				attempt("retried", this.instances.good().url(), "none", "SUCCESS", "200")));
		assertGoesOn(this.instances.good(), traces.attempt(1));
	}

	@Test
	void aRouteToAnAddressHasAttemptsToo() throws Exception {
		// A request that met a closed connection would be an attempt as well
		this.leaving.answer("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
		get(this.observed, "leaving");
		this.leaving.close();
		this.leaving.closeConnections();
		get(this.observed, "leaving");
		Traces traces = Traces.await(this.observed, 2);
		assertThat(traces.attempts()).hasSize(2);
		assertThat(traces.describe()).contains("  attempt none client UNSET {failure=none",
				"  attempt none client ERROR {failure=REFUSED");
		assertGoesOn(this.leaving, traces.attempt(0));
	}

	@Test
	void whatTheStarterDoesNotHandleIsObservedByTheGateway() throws Exception {
		get(this.observed, "plain");
		Traces traces = Traces.await(this.observed, 1);
		assertThat(traces.describe()).doesNotContain("exchange ");
		assertGoesOn(this.instances.good(), traces.attempt(0));
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

	private static String attempt(String upstream, String url, String failure, String outcome, String status) {
		return "{failure=%s, instance=%s, outcome=%s, peer.service=%4$s, route=%4$s-route, status=%5$s, upstream=%4$s}"
			.formatted(failure, url.substring("http://".length()), outcome, upstream, status);
	}

	/**
	 * Of the flags, one tells that the trace is sampled. New versions of OpenTelemetry
	 * also tell that its id is random.
	 */
	private static void assertGoesOn(RawUpstream instance, SpanData attempt) throws Exception {
		assertThat(instance.request().headers(Tracing.HEADER)).singleElement()
			.asString()
			.matches("00-%s-%s-0[13]".formatted(attempt.getTraceId(), attempt.getSpanId()));
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
