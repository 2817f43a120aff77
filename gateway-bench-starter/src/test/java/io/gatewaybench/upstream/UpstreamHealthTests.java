package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How health checks and what happens to requests decide together about an instance.
 */
class UpstreamHealthTests {

	private static final Instance A = new Instance("http", "a");

	private static final Instance B = new Instance("http", "b");

	private static final Instance C = new Instance("http", "c");

	private final AtomicLong clock = new AtomicLong();

	private final Upstream upstream = upstream(
			new EjectionSettings(3, false, Duration.ofSeconds(1), Duration.ofSeconds(1)));

	@Test
	void oneCheckThatFailsIsEnoughAndSoIsOneThatSucceeds() {
		assertThat(this.upstream.ejection().unhealthy(state(A), "status 503")).isTrue();
		assertThat(take(4)).containsOnly(B);
		assertThat(this.upstream.ejection().healthy(state(A))).isTrue();
		assertThat(take(4)).containsOnly(A, B);
	}

	@Test
	void whatIsKnownChangesNothing() {
		assertThat(this.upstream.ejection().healthy(state(A))).isFalse();
		assertThat(this.upstream.ejection().unhealthy(state(A), "status 503")).isTrue();
		assertThat(this.upstream.ejection().unhealthy(state(A), "status 503")).isFalse();
	}

	@Test
	void theLastInstanceStaysUntilAnotherIsBack() {
		assertThat(this.upstream.ejection().unhealthy(state(A), "status 503")).isTrue();
		assertThat(this.upstream.ejection().unhealthy(state(B), "status 503")).isFalse();
		assertThat(take(2)).containsOnly(B);
		assertThat(this.upstream.ejection().healthy(state(A))).isTrue();
		assertThat(this.upstream.ejection().unhealthy(state(B), "status 503")).isTrue();
		assertThat(take(2)).containsOnly(A);
	}

	@Test
	void noRequestTriesAnInstanceWhoseCheckFails() {
		ejectA();
		this.upstream.ejection().unhealthy(state(A), "status 503");
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(take(4)).containsOnly(B);
		assertThat(this.upstream.ejection().healthy(state(A))).isTrue();
		assertThat(take(4)).containsOnly(A, B);
	}

	@Test
	void aTrialThatSucceedsDoesNotBringAnInstanceBackWhoseCheckFails() {
		ejectA();
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		UpstreamCall trial = call();
		assertThat(trial.instance()).isEqualTo(A);
		this.upstream.ejection().unhealthy(state(A), "status 503");
		trial.responded(200);
		assertThat(take(4)).containsOnly(B);
	}

	@Test
	void anInstanceWhoseRequestsFailIsNotBroughtBackByItsCheckIfThatNeverFailed() {
		ejectA();
		assertThat(this.upstream.ejection().healthy(state(A))).isFalse();
		assertThat(take(4)).containsOnly(B);
	}

	@Test
	void anInstanceThatIsHealthyAgainIsOnProbation() {
		this.upstream.ejection().unhealthy(state(A), "status 503");
		this.upstream.ejection().healthy(state(A));
		Stream.generate(this::call)
			.filter((call) -> call.instance().equals(A))
			.findFirst()
			.orElseThrow()
			.failed(UpstreamFailure.BROKEN);
		assertThat(take(4)).containsOnly(B);
	}

	@Test
	void checksDecideAloneIfEjectionIsOff() {
		Upstream checked = upstream(EjectionSettings.OFF);
		InstanceState first = checked.instances().get(0);
		assertThat(checked.ejection().unhealthy(first, "status 503")).isTrue();
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(checked.ejection().trial(true)).isNull();
		assertThat(checked.ejection().healthy(first)).isTrue();
		assertThat(checked.status()).allSatisfy((status) -> assertThat(status.failures()).isZero());
		assertThat(Stream.generate(() -> checked.next(InstanceChooser.Request.NONE)).limit(2)).contains(first);
	}

	@Test
	void anInstanceThatStaysIsKnownToBeUnhealthy() {
		this.upstream.ejection().unhealthy(state(A), "status 503");
		this.upstream.replace(Map.of(A, 1, B, 2));
		assertThat(take(4)).containsOnly(B);
		assertThat(this.upstream.ejection().healthy(state(A))).isTrue();
	}

	@Test
	void neitherATrialNorACheckBringsBackWhatAnOperatorTookOut() {
		assertThat(this.upstream.takeOutOfService(A)).isTrue();
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(take(4)).containsOnly(B);
		this.upstream.ejection().unhealthy(state(A), "status 503");
		assertThat(this.upstream.ejection().healthy(state(A))).isFalse();
		this.upstream.replace(Map.of(A, 1, B, 2));
		assertThat(take(4)).containsOnly(B);
		this.upstream.putInService(A);
		assertThat(take(4)).contains(A);
	}

	@Test
	void whatAnOperatorPutsBackStaysOutWhileItsCheckFails() {
		this.upstream.takeOutOfService(A);
		this.upstream.ejection().unhealthy(state(A), "status 503");
		this.upstream.putInService(A);
		assertThat(take(4)).containsOnly(B);
		assertThat(this.upstream.status()).extracting(InstanceStatus::state)
			.containsExactly(InstanceStatus.State.UNHEALTHY, InstanceStatus.State.IN_ROTATION);
		assertThat(this.upstream.ejection().healthy(state(A))).isTrue();
		assertThat(take(4)).contains(A);
	}

	@Test
	void theLastInstanceCantBeTakenOut() {
		assertThat(this.upstream.takeOutOfService(A)).isTrue();
		assertThat(this.upstream.takeOutOfService(A)).isTrue();
		assertThat(this.upstream.takeOutOfService(B)).isFalse();
		assertThat(this.upstream.takeOutOfService(new Instance("http", "c"))).isFalse();
		assertThat(take(2)).containsOnly(B);
		this.upstream.putInService(A);
		assertThat(this.upstream.takeOutOfService(B)).isTrue();
		assertThat(take(2)).containsOnly(A);
	}

	@Test
	void aChangeOfTheInstancesDoesNotPutBackWhatAnOperatorTookOut() {
		this.upstream.replace(Map.of(A, 1, B, 1, C, 1));
		this.upstream.takeOutOfService(A);
		this.upstream.ejection().unhealthy(state(B), "status 503");
		this.upstream.replace(Map.of(A, 1, B, 1));
		assertThat(take(4)).containsOnly(B);
	}

	@Test
	void whatAnOperatorTookOutServesAloneOnlyUntilThereIsAnother() {
		this.upstream.takeOutOfService(A);
		this.upstream.replace(Map.of(A, 1));
		assertThat(take(2)).containsOnly(A);
		this.upstream.replace(Map.of(A, 1, B, 1, C, 1));
		assertThat(take(4)).containsOnly(B, C);
		this.upstream.putInService(A);
		assertThat(take(6)).contains(A);
	}

	@Test
	void toPutBackWhatIsInServiceChangesNothing() {
		this.upstream.putInService(A);
		Stream.generate(this::call)
			.filter((call) -> call.instance().equals(A))
			.findFirst()
			.orElseThrow()
			.failed(UpstreamFailure.BROKEN);
		assertThat(take(4)).contains(A);
	}

	@Test
	void aRequestThatFailsOnAllOthersDoesNotGoToWhatIsOutOfService() {
		this.upstream.takeOutOfService(A);
		assertThat(call().failed(UpstreamFailure.REFUSED)).isFalse();
	}

	@Test
	void anUpstreamFailsWhenTheLastInstanceDoes() {
		ejectA();
		assertThat(this.upstream.isFailing()).isFalse();
		for (int i = 0; i < 3; i++) {
			call().failed(UpstreamFailure.BROKEN);
		}
		assertThat(this.upstream.isFailing()).isTrue();
		UpstreamCall call = call();
		call.responded(200);
		call.completed();
		assertThat(this.upstream.isFailing()).isFalse();
	}

	private void ejectA() {
		for (int i = 0; i < 6; i++) {
			UpstreamCall call = call();
			if (call.instance().equals(A)) {
				call.failed(UpstreamFailure.BROKEN);
			}
		}
		assertThat(take(4)).containsOnly(B);
	}

	private Upstream upstream(EjectionSettings ejection) {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		weights.put(A, 1);
		weights.put(B, 1);
		return new Upstream("service", weights, new UpstreamSettings(UpstreamTimeouts.NONE, ejection, null, null),
				this.clock::get, new AtomicLong());
	}

	private InstanceState state(Instance instance) {
		return this.upstream.instances()
			.stream()
			.filter((state) -> state.instance().equals(instance))
			.findFirst()
			.orElseThrow();
	}

	private UpstreamCall call() {
		return new UpstreamCall(this.upstream, "GET", false, GatewayMetrics.disabled(), InstanceChooser.Request.NONE);
	}

	private List<Instance> take(int count) {
		return Stream.generate(() -> call().instance()).limit(count).toList();
	}

}
