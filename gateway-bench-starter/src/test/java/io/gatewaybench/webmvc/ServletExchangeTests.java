package io.gatewaybench.webmvc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.UpstreamTimeouts;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.assertj.core.api.AbstractCollectionAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request that is sent again and again, or given up, leaves nothing behind.
 */
class ServletExchangeTests {

	private static final FeatureScope SCOPE = new FeatureScope(RouteFeatures.of(EnumSet.allOf(Feature.class), 1),
			false);

	private final DeadlineTimer timer = new DeadlineTimer();

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final ServletExchange exchange = ServletExchange.begin(this.request,
			new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, this.timer));

	private boolean closed;

	@AfterEach
	void close() {
		this.timer.close();
	}

	@Test
	void aRequestHasOneExchangeInAllItsWrappers() {
		assertThat(ServletExchange.of(new HttpServletRequestWrapper(this.request))).isSameAs(this.exchange);
	}

	@Test
	void aRequestHasOneDeadlineHoweverOftenItIsSent() {
		send();
		send();
		assertThatDeadlines().hasSize(1);
		this.exchange.aborted();
		assertThatDeadlines().isEmpty();
	}

	@Test
	void aResponseThatComesAfterTheRequestWasGivenUpIsLetGo() {
		GatewayExchange givenUp = send();
		this.exchange.forward();
		this.exchange.respond(givenUp, body(givenUp));
		assertThat(this.exchange.body()).isNull();
		assertThat(this.closed).isTrue();
	}

	@Test
	void aResponseThatComesAfterTheRequestWasSentAgainDoesNotTakeThePlaceOfTheOther() {
		GatewayExchange first = send();
		first.upstream().attemptEnded();
		GatewayExchange second = send();
		ResponseBody wanted = body(second);
		this.exchange.respond(second, wanted);
		this.exchange.respond(first, body(first));
		assertThat(this.exchange.body()).isSameAs(wanted);
		assertThat(this.closed).isTrue();
	}

	@Test
	void aForwardedRequestHasNothingOfItsRoute() {
		this.exchange.current().declare(SCOPE.enabled());
		GatewayExchange first = send();
		assertThat(first.features().has(Feature.HEADERS)).isTrue();
		this.exchange.respond(first, body(first));
		this.exchange.forward();
		assertThat(send().features().isEmpty()).isTrue();
		assertThat(this.exchange.body()).isNull();
	}

	@Test
	void aThreadThatWaitsIsInterruptedAndNoOther() {
		Attempt attempt = new Attempt(HttpHeaders.EMPTY, Runnable::run, false);
		attempt.abort();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		attempt.await();
		attempt.abort();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		attempt.arrived();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	private GatewayExchange send() {
		GatewayExchange sent = this.exchange.route(this.request, URI.create("http://localhost"), SCOPE);
		sent.upstream()
			.sendToAddress(new UpstreamTimeouts(Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(1)), false);
		sent.upstream().attempt(() -> {
		}, true);
		return sent;
	}

	private ResponseBody body(GatewayExchange exchange) {
		InputStream stream = new ByteArrayInputStream(new byte[0]) {

			@Override
			public void close() {
				ServletExchangeTests.this.closed = true;
			}

		};
		return new ResponseBody(stream, new MockClientHttpResponse(new byte[0], HttpStatus.OK), exchange,
				new Attempt(HttpHeaders.EMPTY, Runnable::run, false), new PromptOutputs(this.timer, Runnable::run));
	}

	private AbstractCollectionAssert<?, ?, Object, ?> assertThatDeadlines() {
		return assertThat(this.timer).extracting("deadlines", InstanceOfAssertFactories.COLLECTION);
	}

}
