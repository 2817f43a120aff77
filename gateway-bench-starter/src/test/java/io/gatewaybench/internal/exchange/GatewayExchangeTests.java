package io.gatewaybench.internal.exchange;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.internal.upstream.InFlightLimit;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import io.gatewaybench.upstream.EjectionSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamSettings;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
		upstream().attemptEnded();
		assertThat(this.exchange.phase()).isEqualTo(Phase.ANSWERED);
		assertThat(upstream().responded(200)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.BODY);
		assertThat(upstream().bodyOffered()).isTrue();
		ProxiedBody body = beginBody();
		body.bytesAwaited();
		body.bytesArrived();
		assertThat(body.bodyEnded()).isNull();
		body.delivered();
		this.exchange.outcome().completed(this.exchange, 200);
		this.exchange.end();
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
		assertThat(this.aborted).hasValue(0);
	}

	@Test
	void theRestOfABodyThatNobodyReadsIsWaitedForWithALimit() {
		respond(UpstreamTimeouts.NONE);
		assertThat(upstream().bodyBegins(null).restAwaited(Duration.ofMillis(1))).isFalse();
		ProxiedBody body = beginBody();
		assertThat(body.restAwaited(Duration.ofMillis(1))).isTrue();
		awaitAbort();
		body.bytesArrived();
		assertThat(body.bodyEnded()).extracting(UpstreamException::failure).isEqualTo(UpstreamFailure.BODY_TIMEOUT);
		upstream().bodyOffered();
		this.exchange.end();
		assertThat(body.restAwaited(Duration.ofMillis(1))).isFalse();
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
		upstream().attemptEnded();
		assertThat(upstream().attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.SEND_AGAIN);
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
		attempt();
		upstream().attemptEnded();
		assertThat(upstream().attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
	}

	@Test
	void nothingIsSentAgainAfterTheEnd() {
		route();
		send(UpstreamTimeouts.NONE);
		upstream().attemptEnded();
		this.exchange.end();
		assertThat(upstream().attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		assertThat(this.exchange.phase()).isEqualTo(Phase.DONE);
	}

	@Test
	void nothingIsSentAgainAfterTheClientHasFailed() {
		route();
		send(UpstreamTimeouts.NONE);
		this.exchange.outcome().clientFailed();
		upstream().requestBroke();
		upstream().attemptEnded();
		assertThat(upstream().attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		this.exchange.outcome().completed(this.exchange, 400);
		assertThat(this.counted.requests).containsExactly("orders 0 broken");
	}

	@Test
	void anUpstreamThatDoesNotAnswerInTimeIsAborted() {
		route();
		send(timeouts(1, 0));
		awaitAbort();
		upstream().attemptEnded();
		assertThat(upstream().failure(new IllegalStateException())).isInstanceOf(UpstreamException.class)
			.extracting((error) -> ((UpstreamException) error).failure())
			.isEqualTo(UpstreamFailure.RESPONSE_TIMEOUT);
		assertThat(upstream().attemptFailed(UpstreamFailure.RESPONSE_TIMEOUT)).isEqualTo(Decision.SEND_AGAIN);
		attempt();
		Awaitility.await().untilAsserted(() -> assertThat(this.aborted).hasValue(2));
	}

	@Test
	void theTimeOfTheClientIsNotLimited() {
		route();
		send(timeouts(60_000, 0));
		deadline().requestAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.SENDING);
		upstream().requestRead();
		deadline().responseAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.WAITING);
		upstream().attemptEnded();
		upstream().responded(200);
		deadline().requestAwaited();
		deadline().responseAwaited();
		assertThat(this.exchange.phase()).isEqualTo(Phase.BODY);
	}

	@Test
	void aClientThatPausesForTooLongIsAbortedAndNotTheAttempt() {
		AtomicInteger client = new AtomicInteger();
		deadline().limitClient(Duration.ofMillis(1), client::incrementAndGet);
		route();
		send(UpstreamTimeouts.NONE);
		deadline().requestAwaited();
		Awaitility.await().untilAsserted(() -> assertThat(client).hasValue(1));
		assertThat(this.aborted).hasValue(0);
	}

	@Test
	void aBodyThatPausesForTooLongIsAbortedAndNotWhole() {
		respond(timeouts(60_000, 1));
		upstream().bodyOffered();
		ProxiedBody body = beginBody();
		body.bytesAwaited();
		awaitAbort();
		body.bytesArrived();
		assertThat(body.bodyEnded()).extracting(UpstreamException::failure).isEqualTo(UpstreamFailure.BODY_TIMEOUT);
	}

	@Test
	void aBodyThatBreaksOffWhileItIsHeldIsSentAgainOnce() {
		respond(UpstreamTimeouts.NONE);
		upstream().bodyOffered();
		ProxiedBody body = beginBody();
		body.bodyHeld();
		assertThat(body.bodyBroke(new IOException("reset")).failure()).isEqualTo(UpstreamFailure.BROKEN);
		assertThat(upstream().bodyFailed(false)).isEqualTo(Decision.SEND_AGAIN);
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
		assertThat(upstream().bodyFailed(false)).isEqualTo(Decision.PASS_ON);
	}

	@Test
	void aBodyOfWhichSomethingHasLeftIsNotSentAgain() {
		respond(UpstreamTimeouts.NONE);
		upstream().bodyOffered();
		ProxiedBody body = beginBody();
		body.bodyBroke(new IOException("reset"));
		assertThat(upstream().bodyFailed(false)).isEqualTo(Decision.PASS_ON);
		body.bodyHeld();
		assertThat(upstream().bodyFailed(true)).isEqualTo(Decision.PASS_ON);
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

	@ParameterizedTest
	@ValueSource(ints = { 0, 60_000 })
	void theEndIsNoTimeoutOfWhatIsUnderWay(int timeout) {
		route();
		send(timeouts(timeout, timeout));
		this.exchange.end();
		assertThat(this.aborted).hasValue(1);
		upstream().attemptEnded();
		assertThat(upstream().failure(null)).isInstanceOf(CancellationException.class);
		assertThat(upstream().failure(new IllegalStateException())).isInstanceOf(CancellationException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 60_000 })
	void theEndIsNoTimeoutOfABodyThatIsUnderWay(int timeout) {
		respond(timeouts(timeout, timeout));
		ProxiedBody body = beginBody();
		body.bytesAwaited();
		this.exchange.end();
		assertThat(this.aborted).hasValue(1);
		assertThat(body.bodyBroke(new IOException("reset")).failure()).isEqualTo(UpstreamFailure.BROKEN);
	}

	@Test
	void whatTheClientOfTheUpstreamThrowsInTimeIsTheFailure() {
		route();
		send(timeouts(60_000, 0));
		upstream().attemptEnded();
		IllegalStateException error = new IllegalStateException();
		assertThat(upstream().failure(error)).isSameAs(error);
	}

	@Test
	void aPartIsSentAgainForTheWholeOnceAndNotAfterTheEnd() {
		respond(UpstreamTimeouts.NONE);
		assertThat(this.exchange.mayAskForPart(true)).isTrue();
		assertThat(this.exchange.partCame()).isEqualTo(Decision.SEND_AGAIN);
		assertThat(this.exchange.mayAskForPart(true)).isFalse();
		assertThat(this.exchange.partCame()).isEqualTo(Decision.PASS_ON);
		GatewayExchange ended = this.exchange.restart();
		ended.end();
		assertThat(ended.partCame()).isEqualTo(Decision.PASS_ON);
	}

	@Test
	void aRequestThatCannotBeSentTwiceDoesNotAskForAPart() {
		assertThat(this.exchange.mayAskForPart(false)).isFalse();
		assertThat(this.exchange.partCame()).isEqualTo(Decision.PASS_ON);
	}

	@Test
	void anAttemptAfterTheEndIsAbortedAtOnce() {
		route();
		this.exchange.end();
		send(UpstreamTimeouts.NONE);
		assertThat(this.aborted).hasValue(1);
		assertThat(upstream().bodyOffered()).isFalse();
	}

	@Test
	void aResponseThatIsWithTheClientIsNotAbortedAtTheEnd() {
		respond(timeouts(60_000, 60_000));
		upstream().bodyOffered();
		beginBody().bytesAwaited();
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
		assertThat(next.upstream().call()).isNull();
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
		next.outcome().completed(next, 200);
		this.exchange.outcome().cancelled(this.exchange, 200, true);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
	}

	@Test
	void aClientThatLeavesBeforeTheEndGotABrokenResponse() {
		respond(UpstreamTimeouts.NONE);
		upstream().bodyOffered();
		beginBody().clientLeft();
		this.exchange.outcome().completed(this.exchange, 200);
		assertThat(this.counted.requests).containsExactly("orders 200 broken");
	}

	@Test
	void aClientThatLeavesAfterTheEndGotAll() {
		respond(UpstreamTimeouts.NONE);
		upstream().bodyOffered();
		ProxiedBody body = beginBody();
		body.delivered();
		body.clientLeft();
		this.exchange.outcome().cancelled(this.exchange, 200, true);
		assertThat(this.counted.requests).containsExactly("orders 200 whole");
	}

	@Test
	void aClientThatLeavesBeforeTheResponseGotNoStatus() {
		route();
		this.exchange.outcome().cancelled(this.exchange, 200, false);
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
		send(UpstreamTimeouts.NONE, (candidates, request) -> {
			known.addAll(candidates);
			return 0;
		});
		if (end.equals("a response") || end.equals("a whole body")) {
			assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(1, 0);
			upstream().attemptEnded();
			upstream().responded(200);
		}
		if (end.equals("a whole body")) {
			upstream().bodyBegins(null).bodyEnded();
			assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(0, 0);
		}
		this.exchange.end();
		assertThat(known).extracting(InstanceChooser.Candidate::requests).containsExactly(0, 0);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "no attempt", "no response", "a failure", "a response", "a whole body", "a cancelled request" })
	void thePlaceIsFreeAgainHoweverTheExchangeEnds(String end) {
		Upstream limited = limited(Duration.ZERO);
		InFlightLimit limit = Objects.requireNonNull(limited.limit());
		route();
		if (end.equals("a cancelled request")) {
			this.exchange.end();
		}
		assertThat(upstream().enter(limited)).isNull();
		if (!end.equals("no attempt")) {
			upstream().sendTo(limited, "GET", false, InstanceChooser.Request.NONE);
			attempt();
		}
		if (end.equals("a failure")) {
			upstream().attemptEnded();
			assertThat(upstream().attemptFailed(UpstreamFailure.REFUSED)).isEqualTo(Decision.PASS_ON);
		}
		if (end.equals("a response") || end.equals("a whole body")) {
			assertThat(limit.inFlight()).isOne();
			upstream().attemptEnded();
			upstream().responded(200);
		}
		if (end.equals("a whole body")) {
			upstream().bodyBegins(null).bodyEnded();
			assertThat(limit.inFlight()).isZero();
		}
		this.exchange.end();
		assertThat(limit.inFlight()).isZero();
		assertThat(limit.refused()).isZero();
	}

	@Test
	void aRequestThatIsSentAgainKeepsItsPlaceAndAnotherExchangeNeedsOne() {
		Upstream limited = limited(Duration.ZERO);
		InFlightLimit limit = Objects.requireNonNull(limited.limit());
		route();
		upstream().enter(limited);
		assertThatExceptionOfType(UpstreamException.class).isThrownBy(
				() -> new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer).upstream().enter(limited))
			.satisfies((error) -> assertThat(error.failure()).isEqualTo(UpstreamFailure.OVERLOADED));
		// A filter of the gateway repeats a request that had no instance
		upstream().enter(limited);
		assertThat(limit.inFlight()).isOne();
		GatewayExchange next = this.exchange.restart();
		assertThat(limit.inFlight()).isZero();
		next.upstream().enter(limited);
		this.exchange.end();
		assertThat(limit.inFlight()).isOne();
	}

	@Test
	void aRequestThatHasWaitedForTooLongFails() throws Exception {
		Upstream limited = limited(Duration.ofMillis(1));
		assertThat(new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer).upstream().enter(limited))
			.isNull();
		route();
		boolean turn = Objects.requireNonNull(upstream().enter(limited)).get();
		assertThat(turn).isFalse();
		assertThatExceptionOfType(UpstreamException.class).isThrownBy(() -> upstream().waited(turn))
			.satisfies((error) -> assertThat(error.failure()).isEqualTo(UpstreamFailure.OVERLOADED));
		assertThat(this.exchange.phase()).isEqualTo(Phase.ROUTED);
	}

	@Test
	void aRequestWhoseExchangeEndsDoesNotWaitAnyMore() throws Exception {
		Upstream limited = limited(Duration.ofHours(1));
		InFlightLimit limit = Objects.requireNonNull(limited.limit());
		GatewayExchange before = new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer);
		before.upstream().enter(limited);
		route();
		CompletableFuture<Boolean> turn = Objects.requireNonNull(upstream().enter(limited));
		assertThat(limit.waiting()).isOne();
		this.exchange.end();
		assertThat(limit.waiting()).isZero();
		assertThat(turn.get()).isFalse();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> upstream().waited(false));
		before.end();
		assertThat(limit.inFlight()).isZero();
		assertThat(limit.refused()).isZero();
	}

	@Test
	void aRequestCountsAgainstWhatItsClientMaySendOnceAndNotIfItIsRefused() {
		Upstream limited = upstream(null, new UpstreamSettings.RateLimit((request) -> null, 0.5, 1));
		Upstream other = upstream(null, new UpstreamSettings.RateLimit((request) -> null, 0.5, 1));
		assertThat(this.exchange.outcome().admit(limited, InstanceChooser.Request.NONE)).isZero();
		GatewayExchange next = this.exchange.restart();
		assertThat(next.outcome().admit(limited, InstanceChooser.Request.NONE)).isZero();
		assertThat(next.reroute().outcome().admit(other, InstanceChooser.Request.NONE)).isZero();
		GatewayExchange second = new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer);
		assertThat(second.outcome().admit(limited, InstanceChooser.Request.NONE)).isEqualTo(2);
		assertThat(second.outcome().admit(limited, InstanceChooser.Request.NONE)).isEqualTo(2);
		assertThat(second.outcome().admit(other, InstanceChooser.Request.NONE)).isZero();
		assertThat(Objects.requireNonNull(limited.rateLimit()).refused()).isEqualTo(2);
	}

	private static Upstream limited(Duration time) {
		return upstream(new UpstreamSettings.Limit(1, time), null);
	}

	private static Upstream upstream(UpstreamSettings.@Nullable Limit limit,
			UpstreamSettings.@Nullable RateLimit rateLimit) {
		return new Upstream("orders", Map.of(new Instance("http", "a"), 1), new UpstreamSettings(UpstreamTimeouts.NONE,
				EjectionSettings.OFF, null, null, null, limit, rateLimit, false));
	}

	@Test
	void anErrorPageIsAWholeResponseUnlessSomethingHasLeft() {
		route();
		this.exchange.outcome().failed(this.exchange, 502, false);
		assertThat(this.counted.requests).containsExactly("orders 502 whole");
		GatewayExchange other = new GatewayExchange(this.counted, GatewayObservations.OFF, this.timer);
		other.declare(ALL);
		other.route("orders", UPSTREAM, SCOPE);
		other.outcome().failed(other, 200, true);
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
		upstream().sendTo(
				new Upstream("orders", instances, new UpstreamSettings(timeouts, EjectionSettings.OFF, chooser, null)),
				"GET", false, InstanceChooser.Request.NONE);
		attempt();
	}

	private void attempt() {
		upstream().attempt(this.aborted::incrementAndGet, true);
	}

	private ProxiedBody beginBody() {
		return upstream().bodyBegins(this.aborted::incrementAndGet);
	}

	private ExchangeDeadline deadline() {
		return this.exchange.deadline();
	}

	private UpstreamWait upstream() {
		return this.exchange.upstream();
	}

	private void respond(UpstreamTimeouts timeouts) {
		route();
		send(timeouts);
		upstream().attemptEnded();
		upstream().responded(200);
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
