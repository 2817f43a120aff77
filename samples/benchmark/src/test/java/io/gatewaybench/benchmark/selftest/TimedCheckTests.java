package io.gatewaybench.benchmark.selftest;

import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.selftest.Outcome.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimedCheckTests {

	private static final long SECOND = 1_000_000_000;

	private final AtomicInteger attempts = new AtomicInteger();

	private int passesAt = Integer.MAX_VALUE;

	private long programTicks;

	private long ownTicks;

	private long seconds;

	private double lateMillis;

	@Test
	void aCheckThatFailsOnAnUndisturbedMachineHasFailed() throws Exception {
		assertThat(run(2)).isEqualTo(new Outcome(Status.FAIL, "late; 1.0 % stolen, 0.0 % by other programs"));
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void aCheckThatFailsOnADisturbedMachineIsTriedAgain() throws Exception {
		this.passesAt = 3;
		assertThat(run(5)).isEqualTo(new Outcome(Status.PASS,
				"late; attempt 3, as the machine was busy; 2.5 % stolen, 0.0 % by other programs"));
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void aCheckThatTheMachineNeverLeavesAloneIsInvalidAndSaysWhy() throws Exception {
		assertThat(run(5))
			.isEqualTo(new Outcome(Status.INVALID, "late; other machines on the same host took 2.5 % of the CPU time"));
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void aCheckThatOtherProgramsNeverLeaveAloneIsInvalidAndSaysWhy() throws Exception {
		this.programTicks = 50;
		this.ownTicks = 30;
		assertThat(run(0)).isEqualTo(new Outcome(Status.INVALID, "late; other programs took 10.0 % of the CPU time"));
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void whatTheCheckItselfUsesDoesNotExcuseIt() throws Exception {
		this.programTicks = 200;
		this.ownTicks = 198;
		assertThat(run(0)).isEqualTo(new Outcome(Status.FAIL, "late; 0.0 % stolen, 1.0 % by other programs"));
	}

	@Test
	void aCheckThatFailsWhereTimersAreLateIsInvalidAndSaysWhy() throws Exception {
		this.lateMillis = 0.6;
		assertThat(run(0)).isEqualTo(new Outcome(Status.INVALID, "late; the timers of this machine are 0.6 ms late"));
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void aCheckThatPassesOnADisturbedMachineHasPassed() throws Exception {
		this.passesAt = 1;
		assertThat(run(50).status()).isEqualTo(Status.PASS);
	}

	@Test
	void withoutALookAtTheMachineACheckThatFailsHasFailed() throws Exception {
		assertThat(new TimedCheck(new Late(), () -> null, () -> 0, () -> 0).run(environment()).status())
			.isEqualTo(Status.FAIL);
	}

	/**
	 * Two cores have 200 ticks in a second.
	 */
	private Outcome run(int stolenTicksPerSecond) throws InterruptedException {
		return new TimedCheck(new Late(), () -> {
			this.seconds++;
			return new MachineSnapshot(this.seconds * SECOND, 2, this.seconds * this.programTicks, 0,
					this.seconds * stolenTicksPerSecond, 0);
		}, () -> this.seconds * this.ownTicks / 100.0, () -> this.lateMillis).run(environment());
	}

	@SuppressWarnings("NullAway")
	private static CheckEnvironment environment() {
		return null;
	}

	private final class Late implements Check {

		@Override
		public Outcome run(CheckEnvironment environment) {
			boolean passed = TimedCheckTests.this.attempts.incrementAndGet() >= TimedCheckTests.this.passesAt;
			return new Outcome(passed ? Status.PASS : Status.FAIL, "late");
		}

	}

}
