package io.gatewaybench.internal.metrics;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.metrics.ExchangeObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayObservationsTests {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<String> stopped = new ArrayList<>();

	private final GatewayObservations observations = new GatewayObservations(this.registry, null, null);

	GatewayObservationsTests() {
		this.registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			public void onStop(Observation.Context context) {
				GatewayObservationsTests.this.stopped
					.add(context.getName() + context.getLowCardinalityKeyValues().stream().toList());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
	}

	@Test
	void offObservesNothing() {
		assertThat(GatewayObservations.OFF.isOn()).isFalse();
		ExchangeObservation.NONE.attempt("service", "host:1", new HttpHeaders());
		ExchangeObservation.NONE.attemptEnded();
		ExchangeObservation.NONE.end(200, true);
	}

	@Test
	void theEndIsToldOnceAndEndsTheAttempt() {
		ExchangeObservation exchange = this.observations.exchange("orders", null);
		exchange.attempt("service", "host:1", new HttpHeaders());
		exchange.responded(503);
		exchange.end(503, true);
		exchange.attemptEnded();
		exchange.attempt("service", "host:2", new HttpHeaders());
		exchange.end(200, true);
		assertThat(this.stopped).containsExactly(
				"gateway.bench.attempt[keyValue(failure=none), keyValue(instance=host:1), keyValue(outcome=SERVER_ERROR),"
						+ " keyValue(route=orders), keyValue(status=503), keyValue(upstream=service)]",
				"gateway.bench.exchange[keyValue(outcome=SERVER_ERROR), keyValue(route=orders), keyValue(status=503)]");
	}

	@Test
	void theNextAttemptEndsTheOneBefore() {
		ExchangeObservation exchange = this.observations.exchange(null, null);
		exchange.attempt(null, "host:1", new HttpHeaders());
		exchange.attemptFailed("REFUSED", new IllegalStateException("By the test"));
		exchange.attempt(null, "host:2", new HttpHeaders());
		exchange.attempt(null, "host:3", new HttpHeaders());
		assertThat(this.stopped).hasSize(2);
		assertThat(this.stopped.get(0)).contains("failure=REFUSED", "status=none", "route=none", "upstream=none",
				"outcome=ABORTED");
	}

	@Test
	void theParentOfTheExchangeIsWhatTheServerKnowsAndThatOfTheAttemptTheExchange() {
		Observation.Context server = new Observation.Context();
		List<Observation.ContextView> parents = new ArrayList<>();
		this.registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			public void onStart(Observation.Context context) {
				parents.add(context.getParentObservation().getContextView());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		this.observations.exchange("orders", server).attempt("service", "host:1", new HttpHeaders());
		assertThat(parents).hasSize(2);
		assertThat(parents.get(0)).isSameAs(server);
		assertThat(parents.get(1)).isInstanceOf(ExchangeObservationContext.class);
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	/**
	 * By a predicate of the application.
	 */
	@Test
	void anExchangeThatIsNotObservedLeavesItsAttemptsToTheServer() {
		Observation.Context server = new Observation.Context();
		List<Observation.Context> attempts = new ArrayList<>();
		this.registry.observationConfig()
			.observationPredicate((name, context) -> !(context instanceof ExchangeObservationContext))
			.observationHandler(new ObservationHandler<Observation.Context>() {

				@Override
				public void onStart(Observation.Context context) {
					attempts.add(context);
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return true;
				}

			});
		this.observations.exchange("orders", server).attempt("service", "host:1", new HttpHeaders());
		assertThat(attempts).singleElement()
			.satisfies((attempt) -> assertThat(attempt.getParentObservation().getContextView()).isSameAs(server));
	}

	@Test
	void namesAreLimited() {
		ExchangeObservation last = this.observations.exchange("first", null);
		for (int i = 0; i < 10_000; i++) {
			last = this.observations.exchange("route-" + i, null);
		}
		last.end(200, true);
		assertThat(this.stopped).singleElement().asString().contains("route=_other");
	}

}
