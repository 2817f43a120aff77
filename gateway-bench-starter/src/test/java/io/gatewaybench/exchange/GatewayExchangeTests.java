package io.gatewaybench.exchange;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.exchange.GatewayExchange.Decision;
import io.gatewaybench.exchange.GatewayExchange.Phase;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.metrics.UpstreamEvent;
import io.gatewaybench.upstream.EjectionSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamSettings;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.DeadlineTimer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayExchangeTests {

	private static final RouteFeatures ALL = RouteFeatures.of(EnumSet.allOf(Feature.class), 1);

	private static final FeatureScope SCOPE = new FeatureScope(ALL, false);

	private static final URI UPSTREAM = URI.create("rr://orders");

	private final DeadlineTimer timer = new DeadlineTimer();

	private final RecordedRequests counted = new RecordedRequests();

	private final AtomicInteger aborted = new AtomicInteger();

	private final GatewayExchange exchange = new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer);

	@AfterEach
	void nothingIsWaitedForAnyMore() {
		this.exchange.end();
		assertThat(ReflectionTestUtils.<Integer>invokeMethod(this.timer, "size")).isZero();
		this.timer.close();
	}

	@Test
	void aResponseIsPassedOnFromItsHeadToItsEnd() {
		assertThat(this.exchange.phase()).isEqualTo(Phase.ARRIVED);
		route();
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
		send(UpstreamTimeouts.NONE);
		assertThat(this.exchange.phase()).isEqualTo(Phase.WAITING);
		assertThat(this.exchange.attemptEnded()).isTrue();
		assertThat(this.exchange.phase()).isEqualTo(Phase.ANSWERED);
		assertThat(this.exchange.responded(200)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.BODY);
		assertThat(this.exchange.bodyOffered()).isTrue();
		this.exchange.bodyBegins(this.aborted::incrementAndGet);
		this.exchange.bytesAwaited();
		assertThat(this.exchange.bytesArrived()).isTrue();
		assertThat(this.exchange.bodyEnded()).isNull();
		this.exchange.delivered();
		this.exchange.completed(200);
		this.exchange.end();
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
		assertThat(this.aborted).hasValue(0);
	}

	@Test
	void theRestOfABodyThatNobodyReadsIsWaitedForWithALimit() {
		route();
		assertThat(this.exchange.restAwaited(Duration.ofMillis(1))).isFalse();
		send(UpstreamTimeouts.NONE);
		this.exchange.attemptEnded();
		this.exchange.responded(200);
		this.exchange.bodyBegins(this.aborted::incrementAndGet);
		assertThat(this.exchange.restAwaited(Duration.ofMillis(1))).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(this.aborted).hasValue(1));
		assertThat(this.exchange.bytesArrived()).isFalse();
		this.exchange.bodyOffered();
		this.exchange.end();
		assertThat(this.exchange.restAwaited(Duration.ofMillis(1))).isFalse();
	}

	@Test
	void aRouteHasWhatItDeclaresAndWhatItsFiltersAskFor() {
		this.exchange.declare(RouteFeatures.of(EnumSet.of(Feature.HEADERS), 0));
		this.exchange.request(Feature.METRICS);
		RouteFeatures features = this.exchange.route("orders", URI.create("http://orders"), SCOPE);
		assertThat(this.exchange.features()).isSameAs(features);
		assertThat(features.has(Feature.HEADERS)).isTrue();
		assertThat(features.has(Feature.METRICS)).isTrue();
		assertThat(features.has(Feature.BODY_REWRITE)).isFalse();
		assertThat(this.exchange.applies()).isTrue();
	}

	@Test
	void aRouteThatNeedsNoClientHasNoFeatures() {
		this.exchange.declare(ALL);
		assertThat(this.exchange.route("orders", URI.create("forward:/orders"), SCOPE).isEmpty()).isTrue();
		assertThat(this.exchange.applies()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "lb://orders, true", "lb:https://orders, true", "lb:ws://orders, false", "lb:wss://orders, false",
			"lb://ws, true", "ws://orders, false" })
	void aRouteToAWebSocketHasNoFeatures(URI target, boolean applies) {
		this.exchange.declare(ALL);
		this.exchange.route("orders", target, SCOPE);
		assertThat(this.exchange.applies()).isEqualTo(applies);
	}

	@Test
	void anUpstreamIsServedWithoutAnyFeature() {
		assertThat(this.exchange.route("orders", UPSTREAM, SCOPE).isEmpty()).isTrue();
		assertThat(this.exchange.applies()).isTrue();
	}

	@Test
	void whatAnInstanceDidNotAnswerIsSentAgain() {
		route();
		send(UpstreamTimeouts.NONE);
		this.exchange.attemptEnded();
		assertThat(this.exchange.attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.SEND_AGAIN);
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
		attempt();
		this.exchange.attemptEnded();
		assertThat(this.exchange.attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
	}

	@Test
	void nothingIsSentAgainAfterTheEnd() {
		route();
		send(UpstreamTimeouts.NONE);
		this.exchange.attemptEnded();
		this.exchange.end();
		assertThat(this.exchange.attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
	}

	@Test
	void nothingIsSentAgainAfterTheClientHasFailed() {
		route();
		send(UpstreamTimeouts.NONE);
		this.exchange.clientFailed();
		this.exchange.attemptEnded();
		assertThat(this.exchange.attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		this.exchange.completed(400);
		assertThat(this.counted.requests).containsExactly("orders 0 broken");
	}

	@Test
	void anUpstreamThatDoesNotAnswerInTimeIsAborted() {
		route();
		send(timeouts(1, 0));
		awaitAbort();
		assertThat(this.exchange.attemptEnded()).isFalse();
		assertThat(this.exchange.attemptFailed(UpstreamFailure.RESPONSE_TIMEOUT)).isEqualTo(Decision.SEND_AGAIN);
		attempt();
		Awaitility.await().untilAsserted(() -> assertThat(this.aborted).hasValue(2));
	}

	@Test
	void theTimeOfTheClientIsNotLimited() {
		route();
		send(timeouts(60_000, 0));
		this.exchange.requestAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.SENDING);
		this.exchange.requestRead();
		this.exchange.responseAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.WAITING);
		this.exchange.attemptEnded();
		this.exchange.responded(200);
		this.exchange.requestAwaited();
		this.exchange.responseAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.BODY);
	}

	@Test
	void aBodyThatPausesForTooLongIsAbortedAndNotWhole() {
		respond(timeouts(60_000, 1));
		this.exchange.bodyOffered();
		this.exchange.bodyBegins(this.aborted::incrementAndGet);
		this.exchange.bytesAwaited();
		awaitAbort();
		assertThat(this.exchange.bytesArrived()).isFalse();
		assertThat(this.exchange.bodyEnded()).extracting(UpstreamException::failure)
			.isEqualTo(UpstreamFailure.BODY_TIMEOUT);
	}

	@Test
	void aBodyThatBreaksOffWhileItIsHeldIsSentAgainOnce() {
		respond(UpstreamTimeouts.NONE);
		this.exchange.bodyOffered();
		this.exchange.bodyHeld();
		assertThat(this.exchange.bodyBroke(new IOException("reset")).failure()).isEqualTo(UpstreamFailure.BROKEN);
		assertThat(this.exchange.bodyFailed(false)).isEqualTo(Decision.SEND_AGAIN);
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
		assertThat(this.exchange.bodyFailed(false)).isEqualTo(Decision.PASS_ON);
	}

	@Test
	void aBodyOfWhichSomethingHasLeftIsNotSentAgain() {
		respond(UpstreamTimeouts.NONE);
		this.exchange.bodyOffered();
		this.exchange.bodyBroke(new IOException("reset"));
		assertThat(this.exchange.bodyFailed(false)).isEqualTo(Decision.PASS_ON);
		this.exchange.bodyHeld();
		assertThat(this.exchange.bodyFailed(true)).isEqualTo(Decision.PASS_ON);
	}

	@Test
	void whatIsUnderWayIsAbortedAtTheEnd() {
		route();
		send(UpstreamTimeouts.NONE);
		this.exchange.end();
		assertThat(this.aborted).hasValue(1);
		this.exchange.end();
		assertThat(this.aborted).hasValue(1);
	}

	@Test
	void anAttemptAfterTheEndIsAbortedAtOnce() {
		route();
		this.exchange.end();
		send(UpstreamTimeouts.NONE);
		assertThat(this.aborted).hasValue(1);
		assertThat(this.exchange.bodyOffered()).isFalse();
	}

	@Test
	void aResponseThatIsWithTheClientIsNotAbortedAtTheEnd() {
		respond(timeouts(60_000, 60_000));
		this.exchange.bodyOffered();
		this.exchange.bodyBegins(this.aborted::incrementAndGet);
		this.exchange.bytesAwaited();
		this.exchange.end();
		assertThat(this.aborted).hasValue(0);
	}

	@Test
	void anExchangeThatTakesOverOnTheSameRouteKeepsItsFeatures() {
		route();
		send(UpstreamTimeouts.NONE);
		GatewayExchange next = this.exchange.restart();
		assertThat(this.aborted).hasValue(1);
		assertThat(next.phase()).isEqualTo(Phase.ROUTED);
		assertThat(next.features()).isSameAs(ALL);
		assertThat(next.call()).isNull();
	}

	@Test
	void anExchangeThatTakesOverOnAnotherRouteHasItsFeaturesAlone() {
		route();
		GatewayExchange next = this.exchange.reroute();
		assertThat(next.phase()).isEqualTo(Phase.ARRIVED);
		assertThat(next.route("fallback", URI.create("http://fallback"), SCOPE).isEmpty()).isTrue();
	}

	@Test
	void aRequestIsCountedOnce() {
		route();
		GatewayExchange next = this.exchange.restart();
		next.completed(200);
		this.exchange.cancelled(200, true);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
	}

	@Test
	void aClientThatLeavesBeforeTheEndGotABrokenResponse() {
		respond(UpstreamTimeouts.NONE);
		this.exchange.bodyOffered();
		this.exchange.clientLeft();
		this.exchange.completed(200);
		assertThat(this.counted.requests).containsExactly("orders 200 broken");
	}

	@Test
	void aClientThatLeavesAfterTheEndGotAll() {
		respond(UpstreamTimeouts.NONE);
		this.exchange.bodyOffered();
		this.exchange.delivered();
		this.exchange.clientLeft();
		this.exchange.cancelled(200, true);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
	}

	@Test
	void aClientThatLeavesBeforeTheResponseGotNoStatus() {
		route();
		this.exchange.cancelled(200, false);
		assertThat(this.counted.requests).containsExactly("orders 0 broken");
	}

	@ParameterizedTest
	@ValueSource(strings = { "no response", "a response", "a whole body", "a cancelled request" })
	void theInstanceIsFreeAgainHoweverTheExchangeEnds(String end) {
		List<InstanceChooser.Candidate> known = new ArrayList<>();
		route();
		if (end.equals("a cancelled request")) {
			this.exchange.end();
		}
		send(UpstreamTimeouts.NONE, (candidates) -> {
			known.addAll(candidates);
			return 0;
		});
		if (end.equals("a response") || end.equals("a whole body")) {
			assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(1, 0);
			this.exchange.attemptEnded();
			this.exchange.responded(200);
		}
		if (end.equals("a whole body")) {
			this.exchange.bodyBegins(null);
			this.exchange.bodyEnded();
			assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(0, 0);
		}
		this.exchange.end();
		assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(0, 0);
	}

	@Test
	void anErrorPageIsAWholeResponseUnlessSomethingHasLeft() {
		route();
		this.exchange.failed(502, false);
		assertThat(this.counted.requests).containsExactly("orders 502 whole");
		GatewayExchange other = new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer);
		other.declare(ALL);
		other.route("orders", UPSTREAM, SCOPE);
		other.failed(200, true);
		assertThat(this.counted.requests).last().isEqualTo("orders 200 broken");
	}

	private void route() {
		this.exchange.declare(ALL);
		this.exchange.route("orders", UPSTREAM, SCOPE);
	}

	private void send(UpstreamTimeouts timeouts) {
		send(timeouts, null);
	}

	private void send(UpstreamTimeouts timeouts, @Nullable InstanceChooser chooser) {
		Map<Instance, Integer> instances = new LinkedHashMap<>();
		instances.put(new Instance("http", "a"), 1);
		instances.put(new Instance("http", "b"), 1);
		this.exchange.sendTo(
				new Upstream("orders", instances, new UpstreamSettings(timeouts, EjectionSettings.OFF, chooser, null)),
				"GET", false);
		attempt();
	}

	private void attempt() {
		this.exchange.attempt(this.aborted::incrementAndGet, true);
	}

	private void respond(UpstreamTimeouts timeouts) {
		route();
		send(timeouts);
		this.exchange.attemptEnded();
		this.exchange.responded(200);
	}

	private void awaitAbort() {
		Awaitility.await().untilAsserted(() -> assertThat(this.aborted).hasValue(1));
	}

	private static UpstreamTimeouts timeouts(int response, int read) {
		return new UpstreamTimeouts(Duration.ZERO, Duration.ofMillis(response), Duration.ofMillis(read));
	}

	private static final class RecordedRequests implements GatewayMetrics {

		private final List<String> requests = new ArrayList<>();

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
			this.requests.add("%s %d %s".formatted(route, status, completed ? "whole" : "broken"));
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
		}

		@Override
		public void rewrite(String outcome) {
		}

		@Override
		public void close() {
		}

	}

}
