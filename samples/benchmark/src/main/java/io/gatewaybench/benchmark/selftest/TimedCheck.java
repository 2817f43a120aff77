package io.gatewaybench.benchmark.selftest;

import java.util.List;
import java.util.function.Supplier;

import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.MachineUse;
import org.jspecify.annotations.Nullable;

/**
 * A check of something that takes time, which may fail because other machines on the same
 * host are busy. Then it is tried again, and is invalid in the end, by the rule that
 * makes a measurement of a run invalid.
 */
final class TimedCheck implements Check {

	private static final int ATTEMPTS = 3;

	private final Check check;

	private final Supplier<@Nullable MachineSnapshot> machine;

	TimedCheck(Check check, Supplier<@Nullable MachineSnapshot> machine) {
		this.check = check;
		this.machine = machine;
	}

	static Check of(Check check) {
		return new TimedCheck(check, MachineSnapshot::take);
	}

	@Override
	public String title() {
		return this.check.title();
	}

	@Override
	public Outcome run(Lab lab) throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			MachineSnapshot before = this.machine.get();
			Outcome outcome = this.check.run(lab);
			MachineUse use = use(before, this.machine.get());
			String objection = (use != null) ? use.stealObjection() : null;
			if (outcome.status() != Outcome.Status.FAIL || objection == null) {
				Outcome judged = (attempt > 1) ? outcome.afterAttempts(attempt) : outcome;
				return (use != null) ? judged.besides(use.steal()) : judged;
			}
			if (attempt == ATTEMPTS) {
				return outcome.invalid(objection);
			}
		}
	}

	private static @Nullable MachineUse use(@Nullable MachineSnapshot before, @Nullable MachineSnapshot after) {
		return (before != null && after != null) ? after.since(before, List.of(), 0) : null;
	}

}
