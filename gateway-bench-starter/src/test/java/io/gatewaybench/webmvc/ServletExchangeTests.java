package io.gatewaybench.webmvc;

import java.io.ByteArrayInputStream;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Watchdog;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.assertj.core.api.AbstractCollectionAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request that is sent again and again, or given up, leaves nothing behind.
 */
class ServletExchangeTests {

	private final Watchdog watchdog = new Watchdog();

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final ServletExchange exchange = ServletExchange.of(this.request);

	private boolean closed;

	@AfterEach
	void close() {
		this.watchdog.close();
	}

	@Test
	void aRequestHasOneExchangeInAllItsWrappers() {
		assertThat(ServletExchange.of(new HttpServletRequestWrapper(this.request))).isSameAs(this.exchange);
	}

	@Test
	void aRequestHasOneAttemptHoweverOftenItIsSent() {
		attempt();
		UpstreamAttempt last = attempt();
		assertThat(this.exchange.attempt()).isSameAs(last);
		assertThatDeadlines().hasSize(1);
		this.exchange.aborted();
		assertThat(this.exchange.attempt()).isNull();
		assertThatDeadlines().isEmpty();
	}

	@Test
	void aResponseThatComesAfterTheRequestWasGivenUpIsLetGo() {
		UpstreamAttempt givenUp = attempt();
		this.exchange.forward();
		UpstreamBody body = body(givenUp);
		this.exchange.respond(givenUp, body);
		assertThat(this.exchange.body()).isNull();
		assertThat(this.closed).isTrue();
	}

	@Test
	void aResponseThatComesAfterTheRequestWasSentAgainDoesNotTakeThePlaceOfTheOther() {
		UpstreamAttempt first = attempt();
		UpstreamAttempt second = attempt();
		UpstreamBody wanted = body(second);
		this.exchange.respond(second, wanted);
		this.exchange.respond(first, body(first));
		assertThat(this.exchange.body()).isSameAs(wanted);
		assertThat(this.closed).isTrue();
	}

	@Test
	void aForwardedRequestHasNothingOfItsRoute() {
		FeatureScope scope = new FeatureScope(RouteFeatures.of(EnumSet.allOf(Feature.class), 1), false);
		this.exchange.declare(scope.enabled());
		assertThat(this.exchange.resolve(scope).has(Feature.HEADERS)).isTrue();
		this.exchange.respond(attempt(), body(this.exchange.attempt()));
		this.exchange.forward();
		assertThat(this.exchange.resolve(scope).isEmpty()).isTrue();
		assertThat(this.exchange.body()).isNull();
		assertThatDeadlines().isEmpty();
	}

	private UpstreamAttempt attempt() {
		return this.exchange.attempt(HttpHeaders.EMPTY, UpstreamTimeouts.NONE, null, this.watchdog);
	}

	private UpstreamBody body(UpstreamAttempt attempt) {
		ServerRequest serverRequest = ServerRequest.create(this.request, List.of());
		serverRequest.attributes().put(MvcUtils.GATEWAY_ATTRIBUTES_ATTR, new HashMap<String, Object>());
		MvcUtils.putAttribute(serverRequest, MvcUtils.CLIENT_RESPONSE_ATTR,
				new MockClientHttpResponse(new byte[0], HttpStatus.OK));
		MvcUtils.putAttribute(serverRequest, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR,
				new ByteArrayInputStream(new byte[0]) {

					@Override
					public void close() {
						ServletExchangeTests.this.closed = true;
					}

				});
		return Objects.requireNonNull(UpstreamBody.begin(serverRequest, attempt));
	}

	private AbstractCollectionAssert<?, ?, Object, ?> assertThatDeadlines() {
		return assertThat(this.watchdog).extracting("deadlines", InstanceOfAssertFactories.COLLECTION);
	}

}
