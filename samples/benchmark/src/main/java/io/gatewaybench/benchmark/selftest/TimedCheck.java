package io.gatewaybench.benchmark.selftest;

import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A check of something that takes time, which may fail because other machines on the same
 * host or other programs on the same machine are busy. Then it is tried again, and is
 * invalid in the end, by the rules that make a measurement of a run invalid.
 *
 * @param check the check
 * @param machine looks at the machine
 * @param own looks at the processes of this program
 */
record TimedCheck(Check check, Supplier<@Nullable MachineSnapshot> machine, DoubleSupplier own) {

	private static final int ATTEMPTS = 3;

	private static final double MOST_STEAL = 0.02;

	private static final double MOST_FOREIGN = 0.05;

	static TimedCheck of(Check check) {
		return new TimedCheck(check, MachineSnapshot::take,
				() -> ProcessSnapshot.familySeconds(ProcessHandle.current().pid()));
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
			String objection = objection(use);
			if (outcome.status() != Outcome.Status.FAIL || objection == null) {
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

	private static @Nullable String objection(MachineUse use) {
		if (use.steal() > MOST_STEAL) {
			return String.format(Locale.ROOT, "other machines on the same host took %.1f %% of the CPU time",
					use.steal() * 100);
		}
		return (use.foreign() <= MOST_FOREIGN) ? null
				: String.format(Locale.ROOT, "other programs took %.1f %% of the CPU time", use.foreign() * 100);
	}

}
