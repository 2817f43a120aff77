package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ArrivalScheduleTests {

	@Test
	void constantArrivalsAreExact() {
		assertThat(offsets(Arrivals.CONSTANT, 4, Duration.ofSeconds(1), 1)).containsExactly(0, 250_000_000, 500_000_000,
				750_000_000);
	}

	@Test
	void roundingDoesNotAddUp() {
		long[] offsets = offsets(Arrivals.CONSTANT, 3_000, Duration.ofSeconds(100), 1);
		assertThat(offsets).hasSize(300_000);
		assertThat(offsets[299_999]).isEqualTo(Math.round(299_999 / 3_000.0 * 1e9));
	}

	@Test
	void theSequenceStaysAtItsEnd() {
		ArrivalSchedule schedule = new ArrivalSchedule(stage(Arrivals.CONSTANT, 1, Duration.ofSeconds(1)),
				new SplittableRandom(1));
		assertThat(schedule.next()).isZero();
		assertThat(schedule.next()).isEqualTo(ArrivalSchedule.END);
		assertThat(schedule.next()).isEqualTo(ArrivalSchedule.END);
	}

	@Test
	void poissonArrivalsHaveTheRateAndTheSpreadOfAPoissonProcess() {
		long[] offsets = offsets(Arrivals.POISSON, 1_000, Duration.ofSeconds(100), 7);
		double[] gaps = new double[offsets.length];
		for (int i = 0; i < gaps.length; i++) {
			gaps[i] = offsets[i] - ((i > 0) ? offsets[i - 1] : 0);
		}
		double mean = LongStream.of(offsets).max().orElseThrow() / (double) gaps.length;
		double variance = 0;
		for (double gap : gaps) {
			variance += (gap - mean) * (gap - mean) / gaps.length;
		}
		// Five standard errors of 100,000 exponential gaps
		assertThat(offsets.length).isCloseTo(100_000, within(1_600));
		assertThat(Math.sqrt(variance) / mean).isCloseTo(1.0, within(0.025));
	}

	@Test
	void theSameSeedGivesTheSameArrivalsAndAnotherSeedGivesOthers() {
		long[] offsets = offsets(Arrivals.POISSON, 100, Duration.ofSeconds(10), 7);
		assertThat(offsets(Arrivals.POISSON, 100, Duration.ofSeconds(10), 7)).isEqualTo(offsets);
		assertThat(offsets(Arrivals.POISSON, 100, Duration.ofSeconds(10), 8)).isNotEqualTo(offsets);
		assertThat(offsets).isSorted();
	}

	@Test
	void steppedArrivalsFollowTheirStepsAgainAndAgain() {
		Stage stage = new Stage("measure", Stage.Kind.MEASURE, Duration.ZERO, Duration.ofMillis(2_500), 2,
				Arrivals.STEPPED, List.of(new Step(Duration.ofSeconds(1), 1), new Step(Duration.ofMillis(500), 0),
						new Step(Duration.ofMillis(250), 4)),
				0, 0, List.of());
		assertThat(offsets(stage, 1)).containsExactly(0, 500_000_000, 1_500_000_000, 1_625_000_000, 1_750_000_000,
				2_250_000_000L);
		assertThat(stage.peakRate()).isEqualTo(8);
		assertThat(stage.plannedRequests()).isEqualTo(5.5);
	}

	@Test
	void aRampStartsItsRequestsCloserAndCloser() {
		Stage up = ramp(new Step(Duration.ofSeconds(4), 0, 2.0));
		// After t seconds, 10 t²/4 requests are due
		assertThat(offsets(up, 1)).hasSize(40)
			.startsWith(0, 632_455_532, 894_427_191)
			.endsWith(3_949_683_532L)
			.isSorted();
		assertThat(up.peakRate()).isEqualTo(20);
		assertThat(up.plannedRequests()).isEqualTo(40);
	}

	@Test
	void aRampDownMirrorsARampUp() {
		Stage down = ramp(new Step(Duration.ofSeconds(4), 2, 0.0));
		assertThat(down.plannedRequests()).isEqualTo(40);
		assertThat(offsets(down, 1)).hasSize(40).startsWith(0, 50_316_468).isSorted();
	}

	@Test
	void aRampThatIsCutShortStartsThePartOfItsRequests() {
		Stage stage = new Stage("measure", Stage.Kind.MEASURE, Duration.ZERO, Duration.ofSeconds(2), 10,
				Arrivals.STEPPED, List.of(new Step(Duration.ofSeconds(4), 0, 2.0)), 0, 0, List.of());
		assertThat(stage.plannedRequests()).isEqualTo(10);
		assertThat(offsets(stage, 1)).hasSize(10);
	}

	private static Stage ramp(Step step) {
		return new Stage("measure", Stage.Kind.MEASURE, Duration.ZERO, step.duration(), 10, Arrivals.STEPPED,
				List.of(step), 0, 0, List.of());
	}

	private static long[] offsets(Arrivals arrivals, double rate, Duration duration, long seed) {
		return offsets(stage(arrivals, rate, duration), seed);
	}

	private static long[] offsets(Stage stage, long seed) {
		ArrivalSchedule schedule = new ArrivalSchedule(stage, new SplittableRandom(seed));
		return LongStream.generate(schedule::next).takeWhile((offset) -> offset != ArrivalSchedule.END).toArray();
	}

	private static Stage stage(Arrivals arrivals, double rate, Duration duration) {
		return new Stage("measure", Stage.Kind.MEASURE, duration, rate, arrivals);
	}

}
