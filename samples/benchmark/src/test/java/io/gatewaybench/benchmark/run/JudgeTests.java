package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Bound;
import io.gatewaybench.benchmark.suite.Suites;

import static org.assertj.core.api.Assertions.assertThat;

class JudgeTests {

	private static final Stage STAGE = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(5));

	private static final Workload WORKLOAD = Suites.all().getFirst().scenarios().getFirst().workload();

	private static final Bound BOUND = Bound.of(16, 40, 400);

	// 2,000 answers of 40 ms in 5 seconds on 16 connections, in the planned mix
	private final StageResult good = StubEngine.result(new LoadPlan("plan", URI.create("http://127.0.0.1:1"), WORKLOAD,
			List.of(STAGE), new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(10)), 1), STAGE);

	@Test
	void aMeasurementWithNothingAgainstItIsValid() {
		assertThat(Judge.judge(WORKLOAD, this.good, true, 5, true, true, BOUND).valid()).isTrue();
	}

	@Test
	void aMeasurementThatWasCutShortIsInvalid() {
		assertThat(Judge.judge(WORKLOAD, this.good, false, 30, true, true, BOUND).reasons())
			.containsExactly("cut short after 5.0 of 30 s");
	}

	@Test
	void aProcessThatEndedMakesItInvalid() {
		assertThat(Judge.judge(WORKLOAD, this.good, true, 5, false, false, BOUND).reasons())
			.containsExactly("the gateway ended during the measurement", "the backends ended during the measurement");
	}

	@Test
	void requestsThatAreUnaccountedForMakeItInvalid() {
		StageResult unbalanced = withFirst(new Counts(803, 800, 0, 0, 0, 0, 0));
		assertThat(Judge.judge(WORKLOAD, unbalanced, true, 5, true, true, BOUND).reasons())
			.containsExactly("3 of 2003 requests are unaccounted for");
	}

	@Test
	void moreThanOneInAThousandLostMakesItInvalid() {
		assertThat(Judge.judge(WORKLOAD, withFirst(new Counts(800, 798, 0, 2, 0, 0, 0)), true, 5, true, true, BOUND)
			.valid()).isTrue();
		assertThat(Judge.judge(WORKLOAD, withFirst(new Counts(800, 797, 1, 1, 1, 0, 0)), true, 5, true, true, BOUND)
			.reasons()).containsExactly("0.15 % of the requests got no good answer, more than 0.1 %");
	}

	@Test
	void throughputThatLittlesLawForbidsMakesItInvalid() {
		Workload other = new Workload(WORKLOAD.model(), WORKLOAD.mix(), 100, Duration.ZERO);
		assertThat(Judge.judge(other, this.good, true, 5, true, true, BOUND).reasons())
			.containsExactly("throughput x latency is 16.0, but there were 100 connections (Little's law)");
	}

	@Test
	void aMixThatIsOffMakesItInvalid() {
		assertThat(Judge.judge(WORKLOAD, withFirst(new Counts(400, 400, 0, 0, 0, 0, 0)), true, 5, true, true, BOUND)
			.reasons()).contains("heavy is 25.0 % of the requests instead of 40.0 %");
	}

	@Test
	void moreThanTheBoundMakesItInvalid() {
		assertThat(Judge.judge(WORKLOAD, this.good, true, 5, true, true, Bound.of(16, 50, 400)).reasons())
			.containsExactly("125.0 % of the bound was reached, which is impossible: the backends' figures are wrong");
	}

	@Test
	void anUnknownBoundMakesItInvalid() {
		assertThat(Judge.judge(WORKLOAD, this.good, true, 5, true, true, null).reasons())
			.containsExactly("the backends did not tell their latency, so the bound is unknown");
	}

	private StageResult withFirst(Counts counts) {
		List<TypeResult> types = new ArrayList<>(this.good.types());
		TypeResult first = types.getFirst();
		types.set(0, new TypeResult(first.type(), counts, first.okInWindow(), first.statuses(), first.failures(),
				first.latency()));
		return new StageResult(this.good.stage(), this.good.kind(), this.good.start(), this.good.seconds(), types,
				this.good.series(), this.good.generator());
	}

}
