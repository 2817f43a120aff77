package io.gatewaybench.benchmark.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
		 * The machine did not let it be judged: others use it, or its timers are late.
		 */
		INVALID,

		/**
		 * It is not.
		 */
		FAIL

	}

	/**
	 * The same figures and more.
	 */
	Outcome and(String more) {
		return new Outcome(this.status, this.text + "; " + more);
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
