package io.gatewaybench.benchmark.report;

import java.util.function.DoubleFunction;

import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;
import org.jspecify.annotations.Nullable;

/**
 * What stands in one place of a table.
 *
 * @param text the figure or the name
 * @param detail what stands in parentheses behind it, such as an interval; empty for
 * nothing
 * @param mark what the reader must know of it
 */
record Cell(String text, String detail, Mark mark) {

	static final Cell UNKNOWN = of(Figures.UNKNOWN);

	/**
	 * What the reader must know of a figure.
	 */
	enum Mark {

		/**
		 * Nothing.
		 */
		NONE("", ""),

		/**
		 * Something other than the gateway disturbed every measurement of it.
		 */
		DISTURBED(" !", "disturbed"),

		/**
		 * The target did not answer as it must.
		 */
		FAILED(" failed", "failed"),

		/**
		 * A ratio that is no difference.
		 */
		EQUIVALENT(" =", "equivalent"),

		/**
		 * A ratio that may be a difference or none.
		 */
		INCONCLUSIVE(" ?", "inconclusive"),

		/**
		 * A ratio of one block.
		 */
		ONCE(" ?", "one block");

		private final String symbol;

		private final String word;

		Mark(String symbol, String word) {
			this.symbol = symbol;
			this.word = word;
		}

		static Mark of(Effect effect) {
			return switch (effect) {
				case EQUIVALENT -> EQUIVALENT;
				case INCONCLUSIVE -> INCONCLUSIVE;
				case UNKNOWN -> ONCE;
				case LESS, MORE -> NONE;
			};
		}

		/**
		 * The word for it, empty for nothing.
		 */
		String word() {
			return this.word;
		}

	}

	static Cell of(String text) {
		return new Cell(text, "", Mark.NONE);
	}

	/**
	 * A mean with its interval.
	 * @param interval the mean
	 * @param unit writes it with its unit
	 * @param mark what the reader must know of it
	 */
	static Cell of(@Nullable Interval interval, DoubleFunction<String> unit, Mark mark) {
		if (interval == null) {
			return UNKNOWN;
		}
		String estimate = unit.apply(interval.estimate());
		return new Cell(estimate, Figures.range(interval, estimate), mark);
	}

	/**
	 * All of it in one line.
	 */
	String line() {
		return (this.text + (this.detail.isEmpty() ? "" : " (" + this.detail + ")") + this.mark.symbol).strip();
	}

}
