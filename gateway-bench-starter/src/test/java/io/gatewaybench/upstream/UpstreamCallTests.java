package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamCallTests {

	private static final Instance A = new Instance("http", "a");

	private static final Instance B = new Instance("http", "b");

	private static final Instance C = new Instance("http", "c");

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000_000);

	private final RecordedEvents events = new RecordedEvents();

	@Test
	void whatDidNotReachAnInstanceGoesToEachOfTheOthersOnce() {
		Upstream upstream = upstream(EjectionSettings.OFF, A, B, C);
		UpstreamCall call = call(upstream, "POST", true);
		assertThat(call.instance()).isEqualTo(A);
		assertThat(call.failed(UpstreamFailure.REFUSED)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.CONNECT_TIMEOUT)).isTrue();
		assertThat(call.instance()).isEqualTo(C);
		assertThat(call.failed(UpstreamFailure.REFUSED)).isFalse();
		assertThat(this.events.names).containsExactly("RETRY b", "RETRY c");
	}

	@Test
	void aRequestWaitsForTwoInstancesToAcceptAConnectionAndNotForEach() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B, C), "GET", false);
		assertThat(call.failed(UpstreamFailure.CONNECT_TIMEOUT)).isTrue();
		assertThat(call.failed(UpstreamFailure.CONNECT_TIMEOUT)).isFalse();
		assertThat(this.events.names).containsExactly("RETRY b");
	}

	@Test
	void aRequestDoesNotWaitForAnInstanceThatIsEjectedToAcceptAConnection() {
		Upstream upstream = upstream(new EjectionSettings(1, false, Duration.ofSeconds(1), Duration.ofSeconds(1)), A,
				B);
		call(upstream, "POST", true).failed(UpstreamFailure.BROKEN);
		assertThat(take(upstream, 2)).containsExactly(B, B);
		UpstreamCall call = call(upstream, "GET", false);
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.CONNECT_TIMEOUT)).isFalse();
	}

	@Test
	void aBodyThatWasReadIsNotSentAgain() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B), "POST", true);
		call.bodyRead();
		assertThat(call.failed(UpstreamFailure.REFUSED)).isFalse();
	}

	@Test
	void aBodyThatWasReadIsNotSentAgainEvenIfThereShouldBeNone() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B), "PUT", false);
		call.bodyRead();
		assertThat(call.failed(UpstreamFailure.BROKEN)).isFalse();
	}

	@Test
	void noInstanceIsToBlameForWhatTheClientDidNotSend() {
		Upstream upstream = upstream(ejection(1), A, B);
		UpstreamCall call = call(upstream, "GET", false);
		call.clientFailed();
		assertThat(call.failed(UpstreamFailure.BROKEN)).isFalse();
		UpstreamCall responded = call(upstream, "GET", false);
		responded.responded(200);
		responded.clientFailed();
		responded.broken(UpstreamFailure.BROKEN);
		assertThat(responded.resend()).isFalse();
		assertThat(this.events.names).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" })
	void whatMayHaveReachedAnInstanceIsSentOnceMore(String method) {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B, C), method, false);
		assertThat(call.failed(UpstreamFailure.BROKEN)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.BROKEN)).isFalse();
	}

	@Test
	void whatMetAClosedConnectionIsSentOnceMoreToAnotherInstance() {
		UpstreamCall call = call(upstream(ejection(1), A, B), "GET", false);
		assertThat(call.failed(UpstreamFailure.CONNECTION_CLOSED)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.CONNECTION_CLOSED)).isFalse();
		assertThat(this.events.names).containsExactly("RETRY b");
	}

	@Test
	void whatNothingWasDoneWithGoesToEachInstanceOnce() {
		UpstreamCall call = call(upstream(ejection(1), A, B), "POST", false);
		assertThat(call.failed(UpstreamFailure.NOT_PROCESSED)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.NOT_PROCESSED)).isFalse();
	}

	@Test
	void whatNothingWasDoneWithGoesToTheOnlyInstanceTwice() {
		UpstreamCall call = call(upstream(ejection(1), A), "POST", false);
		assertThat(call.failed(UpstreamFailure.NOT_PROCESSED)).isTrue();
		assertThat(call.instance()).isEqualTo(A);
		assertThat(call.failed(UpstreamFailure.NOT_PROCESSED)).isFalse();
		UpstreamCall read = call(upstream(ejection(1), A), "POST", true);
		read.bodyRead();
		assertThat(read.failed(UpstreamFailure.NOT_PROCESSED)).isFalse();
	}

	@Test
	void whatMetAClosedConnectionIsSentOnceMoreToTheOnlyInstance() {
		UpstreamCall call = call(upstream(ejection(1), A), "GET", false);
		assertThat(call.failed(UpstreamFailure.CONNECTION_CLOSED)).isTrue();
		assertThat(call.instance()).isEqualTo(A);
		assertThat(call.failed(UpstreamFailure.BROKEN)).isFalse();
		assertThat(call(upstream(ejection(1), A), "POST", false).failed(UpstreamFailure.CONNECTION_CLOSED)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PATCH", "CONNECT", "get" })
	void whatMayHaveReachedAnInstanceIsNotRepeatedIfThatCouldChangeSomething(String method) {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B), method, false);
		assertThat(call.failed(UpstreamFailure.RESPONSE_TIMEOUT)).isFalse();
	}

	@Test
	void aRequestWithABodyIsNotRepeated() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B), "PUT", true);
		assertThat(call.failed(UpstreamFailure.BROKEN)).isFalse();
	}

	@Test
	void whatWasAnsweredWithAFailureIsSentOnceMore() {
		Upstream upstream = upstream(new EjectionSettings(3, true, Duration.ofSeconds(1), Duration.ofSeconds(1)), A, B,
				C);
		UpstreamCall call = call(upstream, "GET", false);
		assertThat(call.responded(500)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.responded(503)).isFalse();
		assertThat(call(upstream, "POST", false).responded(500)).isFalse();
		assertThat(call(upstream(ejection(3), A, B), "GET", false).responded(500)).isFalse();
	}

	@Test
	void whatWasAnsweredWithAResponseThatBrokeOffIsSentOnceMoreIfTheAdapterAsks() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B, C), "GET", false);
		call.responded(200);
		assertThat(call.resend()).isFalse();
		call.broken(UpstreamFailure.BROKEN);
		assertThat(call.instance()).isEqualTo(A);
		assertThat(call.resend()).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.resend()).isFalse();
		call.responded(200);
		call.broken(UpstreamFailure.BODY_TIMEOUT);
		assertThat(call.resend()).isFalse();
	}

	@Test
	void aRequestThatCouldChangeSomethingIsNotRepeatedBecauseItsResponseBrokeOff() {
		UpstreamCall call = call(upstream(EjectionSettings.OFF, A, B), "POST", false);
		call.responded(200);
		call.broken(UpstreamFailure.BROKEN);
		assertThat(call.resend()).isFalse();
	}

	@Test
	void whereThereIsNoInstanceNothingIsRepeatedNorCounted() {
		Upstream upstream = upstream(ejection(1), A, B);
		assertThat(call(upstream, "GET", false).failed(UpstreamFailure.NO_INSTANCE)).isFalse();
		assertThat(this.events.names).isEmpty();
	}

	@Test
	void whatFoundNoFreeConnectionGoesToEachOfTheOthersOnceAndEjectsNone() {
		Upstream upstream = upstream(ejection(1), A, B, C);
		UpstreamCall call = call(upstream, "POST", true);
		assertThat(call.failed(UpstreamFailure.NO_CONNECTION)).isTrue();
		assertThat(call.instance()).isEqualTo(B);
		assertThat(call.failed(UpstreamFailure.NO_CONNECTION)).isTrue();
		assertThat(call.instance()).isEqualTo(C);
		assertThat(call.failed(UpstreamFailure.NO_CONNECTION)).isFalse();
		assertThat(this.events.names).containsExactly("RETRY b", "RETRY c");
	}

	@Test
	void whatFoundNoFreeConnectionIsTriedElsewhereWithinTheBudget() {
		Upstream upstream = upstream(ejection(1), A, B);
		long retried = IntStream.range(0, 1000)
			.filter((i) -> call(upstream, "POST", true).failed(UpstreamFailure.NO_CONNECTION))
			.count();
		assertThat(retried).isBetween(290L, 310L);
	}

	@Test
	void aTrialThatFoundNoFreeConnectionIsNoTrialOfTheNextInstance() {
		Upstream upstream = upstream(ejection(2), A, B);
		for (int i = 0; i < 4; i++) {
			UpstreamCall call = call(upstream, "POST", false);
			if (call.instance().equals(A)) {
				call.failed(UpstreamFailure.BROKEN);
			}
			else {
				succeed(call);
			}
		}
		advance(1000);
		UpstreamCall trial = call(upstream, "GET", false);
		assertThat(trial.instance()).isEqualTo(A);
		assertThat(trial.failed(UpstreamFailure.NO_CONNECTION)).isTrue();
		assertThat(trial.instance()).isEqualTo(B);
		trial.responded(200);
		advance(2000);
		UpstreamCall second = call(upstream, "GET", false);
		assertThat(second.instance()).isEqualTo(A);
		succeed(second);
		this.events.names.clear();
		UpstreamCall later = Stream.generate(() -> call(upstream, "POST", false))
			.filter((call) -> call.instance().equals(B))
			.findFirst()
			.orElseThrow();
		later.failed(UpstreamFailure.BROKEN);
		assertThat(this.events.names).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "NO_CONNECTION", "NO_INSTANCE", "OVERLOADED", "RATE_LIMITED",
			"BODY_READ_BEFORE", "CONNECTION_CLOSED", "NOT_PROCESSED", "CLIENT_DEADLINE" })
	void failuresInARowEjectAnInstance(UpstreamFailure failure) {
		Upstream upstream = upstream(ejection(3), A, B);
		for (int i = 0; i < 6; i++) {
			UpstreamCall call = call(upstream, "POST", false);
			if (call.instance().equals(A)) {
				call.failed(failure);
			}
			else {
				succeed(call);
			}
		}
		assertThat(this.events.names).contains("EJECTION a");
		assertThat(take(upstream, 4)).containsOnly(B);
	}

	@Test
	void aResponseThatCameWholeEndsTheRow() {
		Upstream upstream = upstream(ejection(2), A);
		Upstream two = upstream(ejection(2), A, B);
		for (int i = 0; i < 10; i++) {
			UpstreamCall call = call(two, "POST", false);
			if (i % 4 == 0) {
				call.failed(UpstreamFailure.BROKEN);
			}
			else {
				succeed(call);
			}
		}
		assertThat(this.events.names).isEmpty();
		assertThat(take(upstream, 1)).containsExactly(A);
	}

	@Test
	void responsesThatBreakOffAreFailuresInARow() {
		Upstream upstream = upstream(ejection(2), A, B);
		for (int i = 0; i < 4; i++) {
			UpstreamCall call = call(upstream, "GET", false);
			call.responded(200);
			if (call.instance().equals(A)) {
				call.broken(UpstreamFailure.BODY_TIMEOUT);
			}
			else {
				call.completed();
			}
		}
		assertThat(this.events.names).containsExactly("EJECTION a");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aServerErrorIsAFailureIfAskedFor(boolean asked) {
		Upstream upstream = upstream(new EjectionSettings(1, asked, Duration.ofSeconds(1), Duration.ofSeconds(1)), A,
				B);
		UpstreamCall call = call(upstream, "POST", false);
		call.responded(500);
		call.completed();
		assertThat(this.events.names).isEqualTo(asked ? List.of("EJECTION a") : List.of());
	}

	@Test
	void theLastInstanceIsNeverEjected() {
		Upstream upstream = upstream(ejection(1), A, B, C);
		for (int i = 0; i < 10; i++) {
			call(upstream, "POST", false).failed(UpstreamFailure.BROKEN);
		}
		assertThat(this.events.names).containsExactly("EJECTION a", "EJECTION c");
		assertThat(take(upstream, 3)).containsOnly(B);
	}

	@Test
	void oneRequestTriesAnEjectedInstanceWhenItsTimeHasCome() {
		Upstream upstream = ejectA();
		advance(999);
		assertThat(take(upstream, 3)).containsOnly(B);
		advance(1);
		UpstreamCall trial = call(upstream, "GET", false);
		assertThat(trial.instance()).isEqualTo(A);
		assertThat(take(upstream, 3)).containsOnly(B);
		trial.responded(200);
		assertThat(this.events.names).containsExactly("EJECTION a", "RECOVERY a");
		assertThat(take(upstream, 4)).containsOnly(A, B);
	}

	@Test
	void theTimeIsDoubledWithEachTrialThatFailsUpToTheLongest() {
		Upstream upstream = ejectA();
		for (int seconds : new int[] { 1, 2, 4, 8, 10, 10 }) {
			advance(seconds * 1000 - 1);
			assertThat(take(upstream, 2)).containsOnly(B);
			advance(1);
			UpstreamCall trial = call(upstream, "GET", false);
			assertThat(trial.instance()).isEqualTo(A);
			assertThat(trial.failed(UpstreamFailure.REFUSED)).isTrue();
			assertThat(trial.instance()).isEqualTo(B);
		}
	}

	@Test
	void aTrialThatNeverEndsIsFollowedByAnother() {
		Upstream upstream = ejectA();
		for (int seconds : new int[] { 1, 2, 4, 8, 10 }) {
			advance(seconds * 1000 - 1);
			assertThat(take(upstream, 2)).containsOnly(B);
			advance(1);
			assertThat(take(upstream, 2)).containsExactly(A, B);
		}
	}

	@Test
	void theNumberOfTrialsUnderWayPutsTheNextOneOffNoFurther() {
		Upstream upstream = ejectA();
		advance(1000);
		UpstreamCall first = call(upstream, "GET", false);
		advance(2000);
		UpstreamCall second = call(upstream, "GET", false);
		assertThat(List.of(first.instance(), second.instance())).containsOnly(A);
		advance(3000);
		first.failed(UpstreamFailure.RESPONSE_TIMEOUT);
		second.failed(UpstreamFailure.RESPONSE_TIMEOUT);
		advance(1000);
		assertThat(take(upstream, 1)).containsExactly(A);
	}

	@Test
	void aRequestThatCannotBeRepeatedTriesAnInstanceOnlyIfNoOtherDoes() {
		Upstream upstream = ejectA();
		advance(1000);
		assertThat(call(upstream, "POST", true).instance()).isEqualTo(B);
		advance(1000);
		assertThat(call(upstream, "POST", true).instance()).isEqualTo(A);
	}

	@Test
	void anInstanceOnProbationIsEjectedByTheNextFailureAndForLonger() {
		Upstream upstream = ejectA();
		advance(1000);
		UpstreamCall trial = call(upstream, "GET", false);
		trial.responded(200);
		trial.broken(UpstreamFailure.BROKEN);
		assertThat(this.events.names).containsExactly("EJECTION a", "RECOVERY a", "EJECTION a");
		advance(1999);
		assertThat(take(upstream, 3)).containsOnly(B);
		advance(1);
		assertThat(take(upstream, 1)).containsExactly(A);
	}

	@Test
	void failuresOfRequestsFromBeforeTheEjectionChangeNothing() {
		Upstream upstream = upstream(ejection(1), A, B);
		List<UpstreamCall> calls = Stream.generate(() -> call(upstream, "POST", false)).limit(20).toList();
		calls.stream()
			.filter((call) -> call.instance().equals(A))
			.forEach((call) -> call.failed(UpstreamFailure.BROKEN));
		advance(1000);
		assertThat(take(upstream, 1)).isNotEmpty();
		assertThat(call(upstream, "GET", false).instance()).isEqualTo(B);
		advance(2000);
		assertThat(call(upstream, "GET", false).instance()).isEqualTo(A);
	}

	@Test
	void aRequestThatComesInTheMomentOfAnEjectionIsNoTrial() {
		List<Instance> meanwhile = new ArrayList<>();
		AtomicReference<Runnable> moment = new AtomicReference<>();
		Upstream upstream = new Upstream("service", weights(A, B),
				new UpstreamSettings(UpstreamTimeouts.NONE, ejection(1), null, null), () -> {
					Runnable action = moment.getAndSet(null);
					if (action != null) {
						action.run();
					}
					return this.clock.get();
				}, new AtomicLong());
		UpstreamCall call = call(upstream, "POST", false);
		assertThat(call.instance()).isEqualTo(A);
		moment.set(() -> meanwhile.addAll(take(upstream, 1)));
		call.failed(UpstreamFailure.BROKEN);
		assertThat(meanwhile).containsExactly(B);
		assertThat(take(upstream, 3)).containsOnly(B);
	}

	@Test
	void retriesHaveABudget() {
		Upstream upstream = upstream(EjectionSettings.OFF, A, B);
		long retried = IntStream.range(0, 1000)
			.filter((i) -> call(upstream, "GET", false).failed(UpstreamFailure.RESPONSE_TIMEOUT))
			.count();
		assertThat(retried).isBetween(290L, 310L);
		assertThat(call(upstream, "GET", false).failed(UpstreamFailure.REFUSED)).isTrue();
	}

	@Test
	void instancesThatStayKeepWhatIsKnownOfThem() {
		Upstream upstream = ejectA();
		upstream.replace(weights(A, B, C));
		assertThat(take(upstream, 4)).containsOnly(B, C);
		upstream.replace(weights(A));
		assertThat(take(upstream, 2)).containsOnly(A);
	}

	private Upstream ejectA() {
		Upstream upstream = upstream(ejection(1), A, B);
		call(upstream, "POST", false).failed(UpstreamFailure.BROKEN);
		assertThat(this.events.names).containsExactly("EJECTION a");
		return upstream;
	}

	private static EjectionSettings ejection(int failures) {
		return new EjectionSettings(failures, false, Duration.ofSeconds(1), Duration.ofSeconds(10));
	}

	private Upstream upstream(EjectionSettings ejection, Instance... instances) {
		return new Upstream("service", weights(instances),
				new UpstreamSettings(UpstreamTimeouts.NONE, ejection, null, null), this.clock::get, new AtomicLong());
	}

	private static Map<Instance, Integer> weights(Instance... instances) {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		for (Instance instance : instances) {
			weights.put(instance, 1);
		}
		return weights;
	}

	private UpstreamCall call(Upstream upstream, String method, boolean hasBody) {
		return new UpstreamCall(upstream, method, hasBody, this.events, InstanceChooser.Request.NONE);
	}

	private static void succeed(UpstreamCall call) {
		call.responded(200);
		call.completed();
	}

	private List<Instance> take(Upstream upstream, int count) {
		return Stream.generate(() -> call(upstream, "GET", false).instance()).limit(count).toList();
	}

	private void advance(long millis) {
		this.clock.addAndGet(millis * 1_000_000);
	}

	private static final class RecordedEvents implements GatewayMetrics {

		private final List<String> names = new ArrayList<>();

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
			this.names.add(event + " " + instance);
		}

		@Override
		public void rewrite(String outcome) {
		}

		@Override
		public void close() {
		}

	}

}
