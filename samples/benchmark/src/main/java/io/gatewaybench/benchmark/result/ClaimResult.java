package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.suite.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a study beside what was measured.
 *
 * @param claim what the study says
 * @param measured the comparison, {@code null} if the two were not measured together
 * @param answer what follows
 */
public record ClaimResult(Claim claim, @Nullable Comparison measured, Answer answer) {

	/**
	 * What a measurement says of a claim.
	 */
	public enum Answer {

		/**
		 * The whole interval is where the study says.
		 */
		AGREES,

		/**
		 * The whole interval is elsewhere.
		 */
		CONTRADICTS,

		/**
		 * A part of the interval is where the study says.
		 */
		OPEN,

		/**
		 * Not measured.
		 */
		UNKNOWN

	}

	/**
	 * Looks at a claim.
	 * @param claim the claim
	 * @param measured the comparison, or {@code null}
	 * @param margin how far two figures may differ that are the same, as a part
	 * @return the result
	 */
	static ClaimResult of(Claim claim, @Nullable Comparison measured, double margin) {
		return new ClaimResult(claim, measured, answer(claim.direction(), measured, margin));
	}

	private static Answer answer(Claim.Direction claimed, @Nullable Comparison measured, double margin) {
		if (measured == null) {
			return Answer.UNKNOWN;
		}
		Interval ratio = measured.ratio();
		return switch (claimed) {
			case LESS -> answer(ratio.low(), ratio.high(), 0, 1);
			case EQUAL -> answer(ratio.low(), ratio.high(), 1 / (1 + margin), 1 + margin);
			case MORE -> answer(ratio.low(), ratio.high(), 1, Double.POSITIVE_INFINITY);
		};
	}

	private static Answer answer(double low, double high, double from, double to) {
		if (low >= from && high <= to) {
			return Answer.AGREES;
		}
		return (high < from || low > to) ? Answer.CONTRADICTS : Answer.OPEN;
	}

}
