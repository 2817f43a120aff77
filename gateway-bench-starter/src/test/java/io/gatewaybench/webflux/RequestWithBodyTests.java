package io.gatewaybench.webflux;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.publisher.TestPublisher;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class RequestWithBodyTests {

	private final GatewayExchange state = new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF,
			new DeadlineTimer());

	/**
	 * Before that, Reactor Netty's client would log the error as its own.
	 */
	@Test
	void theClientOfTheUpstreamHearsOfABrokenBodyOnceItsExchangeIsCancelled() {
		List<String> events = new ArrayList<>();
		Sinks.Many<DataBuffer> client = Sinks.many().unicast().onBackpressureBuffer();
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.post("/").body(client.asFlux()));
		RequestWithBody request = new RequestWithBody(exchange, this.state);
		request.over(Mono.<Void>never().doOnCancel(() -> events.add("cancelled")))
			.doFinally((signal) -> events.add("answered"))
			.subscribe();
		request.getBody().subscribe((piece) -> {
		}, (error) -> events.add("error"));
		client.tryEmitError(new IOException("reset")).orThrow();
		assertThat(events).containsExactly("cancelled", "answered", "error");
		assertThat(this.state.outcome().hasClientFailed()).isTrue();
	}

	/**
	 * Both sides may break off in the same moment, each in its own thread.
	 */
	@Test
	void aClientOfTheUpstreamThatHasLeftHearsNothingOfABrokenBody() {
		TestPublisher<DataBuffer> client = TestPublisher
			.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.post("/").body(client.flux()));
		RequestWithBody request = new RequestWithBody(exchange, this.state);
		List<Throwable> errors = new ArrayList<>();
		request.getBody().subscribe(new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				cancel();
			}

			@Override
			protected void hookOnError(Throwable error) {
				errors.add(error);
			}

		});
		Hooks.onErrorDropped(errors::add);
		try {
			client.error(new IOException("reset"));
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
		assertThat(errors).isEmpty();
		assertThat(this.state.outcome().hasClientFailed()).isTrue();
	}

}
