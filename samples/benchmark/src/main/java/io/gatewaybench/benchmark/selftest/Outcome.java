package io.gatewaybench.benchmark.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.observe.MachineUse;

/**
 * What came out of a check.
 *
 * @param status whether it is as it must be
 * @param text the figures
 */
public record Outcome(Status status, String text) {

	/**
	 * Whether it is as it must be, from good to bad.
	 */
	public enum Status {

		/**
		 * It could not be checked here.
		 */
		SKIP,

		/**
		 * It is.
		 */
		PASS,

		/**
		 * Other machines on the same host did not let it be judged.
		 */
		INVALID,

		/**
		 * It is not.
		 */
		FAIL

	}

	static Outcome skipped(String why) {
		return new Outcome(Status.SKIP, why);
	}

	/**
	 * The same figures, which say nothing because they were disturbed.
	 */
	Outcome invalid(String why) {
		return new Outcome(Status.INVALID, this.text + "; " + why);
	}

	/**
	 * The same outcome, which was not the first one.
	 */
	Outcome afterAttempts(int attempts) {
		return new Outcome(this.status, this.text + "; attempt " + attempts + ", as the machine was busy");
	}

	/**
	 * The same outcome, with what other machines on the same host and other programs
	 * took.
	 */
	Outcome besides(MachineUse use) {
		return new Outcome(this.status, String.format(Locale.ROOT, "%s; %.1f %% stolen, %.1f %% by other programs",
				this.text, use.steal() * 100, use.foreign() * 100));
	}

	/**
	 * Collects findings, each with what it must be.
	 */
	static final class Findings {

		private final List<String> texts = new ArrayList<>();

		private boolean passed = true;

		/**
		 * Adds a figure.
		 * @param name what it is
		 * @param value the figure
		 * @param expected what it must be
		 * @param tolerance how far it may be off
		 * @param unit what it is measured in
		 */
		Findings near(String name, double value, double expected, double tolerance, String unit) {
			return that(Math.abs(value - expected) <= tolerance, "%s %.4g%s (%.4g ± %.2g)", name, value, unit, expected,
					tolerance);
		}

		/**
		 * Adds a figure with an upper limit.
		 */
		Findings atMost(String name, double value, double limit, String unit) {
			return that(value <= limit, "%s %.3g%s (at most %.3g)", name, value, unit, limit);
		}

		/**
		 * Adds anything else.
		 * @param holds whether it is as it must be
		 * @param format the figures
		 */
		Findings that(boolean holds, String format, Object... arguments) {
			this.passed &= holds;
			this.texts.add((holds ? "" : "NOT ") + String.format(Locale.ROOT, format, arguments));
			return this;
		}

		Outcome outcome() {
			return new Outcome(this.passed ? Status.PASS : Status.FAIL, String.join(", ", this.texts));
		}

	}

}
