package io.gatewaybench.benchmark.selftest;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A check of something that takes time, which may fail because other machines on the same
 * host or other programs on the same machine are busy, or because the timers of the
 * machine are late. Then it is tried again, and is invalid in the end.
 *
 * @param check the check
 * @param machine looks at the machine
 * @param own looks at the processes of this program
 * @param late tells how late the timers of the machine are, in milliseconds
 */
record TimedCheck(Check check, Supplier<@Nullable MachineSnapshot> machine, DoubleSupplier own, DoubleSupplier late) {

	private static final int ATTEMPTS = 3;

	private static final double MOST_STEAL = 0.02;

	private static final double MOST_FOREIGN = 0.05;

	// Half of what checks allow
	private static final double MOST_LATE_MILLIS = 0.5;

	private static final long SLEEP_NANOS = 1_000_000;

	private static final int SLEEPS = 200;

	static TimedCheck of(Check check) {
		return new TimedCheck(check, MachineSnapshot::take,
				() -> ProcessSnapshot.familySeconds(ProcessHandle.current().pid()), TimedCheck::lateMillis);
	}

	// At the P90
	private static double lateMillis() {
		return LongStream.generate(() -> {
			long start = System.nanoTime();
			LockSupport.parkNanos(SLEEP_NANOS);
			return System.nanoTime() - start - SLEEP_NANOS;
		}).limit(SLEEPS).sorted().skip(SLEEPS * 9 / 10).findFirst().orElseThrow() / 1e6;
	}

	Outcome run(CheckEnvironment environment) throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			MachineSnapshot before = this.machine.get();
			double ownBefore = this.own.getAsDouble();
			Outcome outcome = this.check.run(environment);
			MachineSnapshot after = this.machine.get();
			if (before == null || after == null) {
				return outcome;
			}
			MachineUse use = after.since(before, this.own.getAsDouble() - ownBefore);
			String objection = (outcome.status() == Outcome.Status.FAIL) ? objection(use) : null;
			if (objection == null) {
				Outcome judged = (attempt > 1) ? outcome.and("attempt " + attempt + ", as the machine was busy")
						: outcome;
				return judged.and(String.format(Locale.ROOT, "%.1f %% stolen, %.1f %% by other programs",
						use.steal() * 100, use.foreign() * 100));
			}
			if (attempt == ATTEMPTS) {
				return new Outcome(Outcome.Status.INVALID, outcome.text() + "; " + objection);
			}
		}
	}

	private @Nullable String objection(MachineUse use) {
		if (use.steal() > MOST_STEAL) {
			return String.format(Locale.ROOT, "other machines on the same host took %.1f %% of the CPU time",
					use.steal() * 100);
		}
		if (use.foreign() > MOST_FOREIGN) {
			return String.format(Locale.ROOT, "other programs took %.1f %% of the CPU time", use.foreign() * 100);
		}
		double millis = this.late.getAsDouble();
		return (millis <= MOST_LATE_MILLIS) ? null
				: String.format(Locale.ROOT, "the timers of this machine are %.1f ms late", millis);
	}

}
