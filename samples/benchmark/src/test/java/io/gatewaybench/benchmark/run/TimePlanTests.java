package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import io.gatewaybench.benchmark.result.RunResults.Settings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimePlanTests {

	private static final Duration EIGHT_MINUTES = Duration.ofMinutes(8);

	private static final double ROUND = 6.9;

	private double now = -1_000;

	@Test
	void eightMinutesHaveThreeStartsWhenWarmUpIsShort() {
		List<Integer> rounds = play(plan(EIGHT_MINUTES, null, null), 70, (start, round) -> false);
		assertThat(rounds).hasSize(3).allSatisfy((each) -> assertThat(each).isBetween(8, 10));
		assertThat(this.now).isLessThanOrEqualTo(480 + ROUND);
	}

	@Test
	void eightMinutesHaveTwoStartsWhenWarmUpIsLong() {
		List<Integer> rounds = play(plan(EIGHT_MINUTES, null, null), 145, (start, round) -> false);
		assertThat(rounds).hasSize(2).allSatisfy((each) -> assertThat(each).isBetween(8, 10));
		assertThat(this.now).isLessThanOrEqualTo(480 + ROUND);
	}

	@Test
	void whatIsPreciseAfterOneStartIsStartedOnceMore() {
		assertThat(play(plan(EIGHT_MINUTES, null, null), 70, (start, round) -> true)).hasSize(2)
			.last()
			.satisfies((rounds) -> assertThat(rounds).isEqualTo(4));
	}

	@Test
	void itEndsWhenItIsPreciseAfterTwoStarts() {
		assertThat(play(plan(null, null, null), 70, (start, round) -> start == 2 && round >= 7)).containsExactly(10, 7);
		assertThat(play(plan(null, null, null), 70, (start, round) -> start == 5 && round >= 6)).hasSize(5).endsWith(6);
	}

	@Test
	void withoutALimitItEndsAfterThirtyStarts() {
		assertThat(play(plan(null, null, null), 70, (start, round) -> false)).hasSize(30).containsOnly(10);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 40 })
	void startsAndRoundsAreExact(int number) {
		assertThat(play(plan(null, number, null), 200, (start, round) -> true)).hasSize(number).containsOnly(10);
		assertThat(play(plan(EIGHT_MINUTES, 2, number), 200, (start, round) -> true)).containsExactly(number, number);
	}

	@Test
	void theFirstTwoStartsComeThoughTheyTakeALittleLongerThanTheTime() {
		assertThat(play(plan(EIGHT_MINUTES, null, null), 230, (start, round) -> false)).containsExactly(4, 4);
		assertThat(this.now).isBetween(480.0, 1.1 * 480);
	}

	@Test
	void aStartHasItsLeastRoundsThoughTheTimeIsOver() {
		assertThat(play(plan(EIGHT_MINUTES, null, null), 1.5 * 480, (start, round) -> false)).containsExactly(4);
	}

	@Test
	void theOnlyStartThatThereIsTimeForHasAllTheTime() {
		assertThat(play(plan(EIGHT_MINUTES, null, null), 240, (start, round) -> false)).containsExactly(34);
		assertThat(play(plan(EIGHT_MINUTES, null, null), 340, (start, round) -> false)).containsExactly(20);
		assertThat(this.now).isLessThanOrEqualTo(480 + ROUND);
	}

	@Test
	void roundsThatTakeLongerThanPlannedLeaveNoTimeForASecondStart() {
		TimePlan plan = new TimePlan(settings(EIGHT_MINUTES, null, null), 1, Duration.ofSeconds(7),
				() -> (long) (this.now * 1e9));
		double begin = this.now;
		assertThat(plan.allowsStart(false)).isTrue();
		this.now += 225;
		plan.warm();
		assertThat(plan.place()).isEqualTo("start 1 of 2");
		int rounds = 0;
		while (plan.allowsRound(rounds, false)) {
			this.now += 25;
			rounds++;
		}
		assertThat(rounds).isEqualTo(10);
		assertThat(this.now - begin).isEqualTo(475);
		assertThat(plan.allowsStart(false)).isFalse();
	}

	@Test
	void aWarmUpMayTakeAPartOfTheTimeOnly() {
		assertThat(plan(EIGHT_MINUTES, null, null).longestWarmUp()).isBetween(Duration.ofMinutes(4), EIGHT_MINUTES);
		assertThat(plan(null, null, null).longestWarmUp()).isGreaterThan(Duration.ofHours(1));
		assertThat(plan(EIGHT_MINUTES, 2, null).longestWarmUp()).isGreaterThan(Duration.ofHours(1));
	}

	/**
	 * How long a search takes is known when it has ended.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 7, 210 })
	void ofLongSlicesFewerRoundsHaveToDo(int planned) {
		TimePlan plan = new TimePlan(settings(EIGHT_MINUTES, null, null), 1, Duration.ofSeconds(planned),
				() -> (long) (this.now * 1e9));
		assertThat(plan.allowsStart(false)).isTrue();
		this.now += 300;
		plan.warm();
		assertThat(plan.allowsRound(0, false)).isTrue();
		this.now += 210;
		assertThat(plan.allowsRound(1, false)).isFalse();
	}

	@Test
	void groupsOfGatewaysShareTheTime() {
		TimePlan plan = new TimePlan(settings(EIGHT_MINUTES, null, null), 2, Duration.ofSeconds(6),
				() -> (long) (this.now * 1e9));
		double begin = this.now;
		int starts = 0;
		while (plan.allowsStart(false)) {
			starts++;
			for (int group = 0; group < 2; group++) {
				plan.groupBegins();
				this.now += 40;
				plan.warm();
				for (int round = 0; plan.allowsRound(round, false); round++) {
					this.now += 6;
				}
			}
		}
		assertThat(starts).isEqualTo(3);
		assertThat(this.now - begin).isLessThanOrEqualTo(480 + 6);
	}

	@Test
	void theEstimateIsTheTimeOrWhatWasAskedFor() {
		assertThat(plan(EIGHT_MINUTES, null, null).estimate()).isEqualTo(EIGHT_MINUTES);
		assertThat(plan(null, 2, 5).estimate()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));
	}

	private TimePlan plan(@Nullable Duration time, @Nullable Integer starts, @Nullable Integer rounds) {
		this.now = 0;
		return new TimePlan(settings(time, starts, rounds), 1, Duration.ofMillis((long) (ROUND * 1e3)),
				() -> (long) (this.now * 1e9));
	}

	private static Settings settings(@Nullable Duration time, @Nullable Integer starts, @Nullable Integer rounds) {
		return new Settings(Duration.ofSeconds(2), 0.05, time, starts, rounds, Duration.ofSeconds(60), "512m",
				Duration.ofSeconds(10), 1, false, "embedded");
	}

	/**
	 * Plays a run whose answer is precise when the predicate says so.
	 * @return the rounds of each start
	 */
	private List<Integer> play(TimePlan plan, double warmUp, BiPredicate<Integer, Integer> precise) {
		List<Integer> rounds = new ArrayList<>();
		boolean enough = false;
		while (plan.allowsStart(enough)) {
			this.now += warmUp;
			plan.warm();
			int round = 0;
			enough = false;
			while (plan.allowsRound(round, enough)) {
				this.now += ROUND;
				round++;
				enough = precise.test(plan.start(), round);
			}
			rounds.add(round);
		}
		return rounds;
	}

}
