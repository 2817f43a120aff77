package io.gatewaybench.benchmark.report;

import java.util.List;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * What must not hold, beside what was measured.
 */
final class ThresholdTable {

	private ThresholdTable() {
	}

	static Table of(RunResults results) {
		return new Table("Thresholds",
				"No condition may hold. Each is judged under every load, by the 95 % confidence interval of left side / right "
						+ "side, or of left side - right side where it subtracts. It failed if it holds in the whole interval, and "
						+ "passed if it holds nowhere in it.",
				List.of("must not hold", "load", "outcome", "measured", "reason"),
				results.thresholds().stream().map(ThresholdTable::row).toList());
	}

	private static List<Cell> row(ThresholdResult result) {
		return List.of(Cell.of(result.condition()), Cell.of(result.load()), switch (result.outcome()) {
			case FAILED -> new Cell("", "", Mark.FAILED);
			case PASSED -> Cell.of("passed");
			case INCONCLUSIVE -> Cell.of("inconclusive");
		}, Cell.of(measured(result)), Cell.of(result.reason()));
	}

	/**
	 * Ratio or difference of both sides, with its interval.
	 */
	static String measured(ThresholdResult result) {
		if (result.ratio() != null) {
			return "left / right = " + Figures.ratio(result.ratio());
		}
		Interval difference = result.difference();
		if (difference == null) {
			return Figures.UNKNOWN;
		}
		String range = (difference.low() == null || difference.high() == null) ? ""
				: " (" + Figures.significant(difference.low()) + " to " + Figures.significant(difference.high()) + ")";
		return ("left - right = " + Figures.significant(difference.estimate()) + " " + result.unit()).strip() + range;
	}

}
