package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.PairedComparison;
import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;
import io.gatewaybench.benchmark.suite.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a study beside what was measured.
 *
 * @param claim what the study says
 * @param measured the comparison, {@code null} if a scenario has no valid measurement of
 * the metric
 * @param answer what follows
 */
public record ClaimResult(Claim claim, @Nullable PairedComparison measured, Answer answer) {

	/**
	 * What a measurement says of a claim.
	 */
	public enum Answer {

		/**
		 * We see what the study saw.
		 */
		AGREES,

		/**
		 * We see the opposite, a difference where the study saw none, or none where it
		 * saw one.
		 */
		CONTRADICTS,

		/**
		 * One block points the same way, which may be chance.
		 */
		POINTS_THE_SAME_WAY,

		/**
		 * One block points another way, which may be chance.
		 */
		POINTS_ANOTHER_WAY,

		/**
		 * More blocks could tell.
		 */
		INCONCLUSIVE,

		/**
		 * Not measured, or disturbed in every block.
		 */
		UNKNOWN

	}

	/**
	 * Looks at a claim.
	 * @param claim the claim
	 * @param measured the comparison, or {@code null}
	 * @return the result
	 */
	static ClaimResult of(Claim claim, @Nullable PairedComparison measured) {
		return new ClaimResult(claim, measured, answer(effect(claim.direction()), measured));
	}

	private static Answer answer(Effect claimed, @Nullable PairedComparison measured) {
		if (measured == null || measured.ratio() == null) {
			return Answer.UNKNOWN;
		}
		return switch (measured.effect()) {
			case LESS, MORE, EQUIVALENT -> (measured.effect() == claimed) ? Answer.AGREES : Answer.CONTRADICTS;
			case INCONCLUSIVE -> Answer.INCONCLUSIVE;
			case UNKNOWN -> (effect(measured.ratio().estimate()) == claimed) ? Answer.POINTS_THE_SAME_WAY
					: Answer.POINTS_ANOTHER_WAY;
		};
	}

	private static Effect effect(Claim.Direction direction) {
		return switch (direction) {
			case LESS -> Effect.LESS;
			case EQUAL -> Effect.EQUIVALENT;
			case MORE -> Effect.MORE;
		};
	}

	private static Effect effect(double ratio) {
		if (Math.abs(ratio - 1) < PairedComparison.SMALLEST_EFFECT) {
			return Effect.EQUIVALENT;
		}
		return (ratio < 1) ? Effect.LESS : Effect.MORE;
	}

}
