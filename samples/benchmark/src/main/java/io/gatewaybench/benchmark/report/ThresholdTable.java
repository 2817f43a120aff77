package io.gatewaybench.benchmark.report;

import java.util.List;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ThresholdResult;

/**
 * What must not hold, beside what was measured.
 */
final class ThresholdTable {

	private ThresholdTable() {
	}

	static Table of(RunResults results) {
		return new Table("Thresholds",
				"No condition may hold. Each is judged under every load, by the 95 % confidence interval of left side / right "
						+ "side. It failed if it holds in the whole interval, and "
						+ "passed if it holds nowhere in it.",
				List.of("must not hold", "load", "outcome", "measured", "reason"),
				results.thresholds().stream().map(ThresholdTable::row).toList());
	}

	private static List<Cell> row(ThresholdResult result) {
		return List.of(Cell.of(result.condition()), Cell.of(result.load()), switch (result.outcome()) {
			case FAILED -> Cell.of("failed");
			case PASSED -> Cell.of("passed");
			case INCONCLUSIVE -> Cell.of("not decided");
		}, Cell.of(measured(result)), Cell.of(result.reason()));
	}

	/**
	 * The ratio of both sides, with its interval.
	 */
	static String measured(ThresholdResult result) {
		return (result.ratio() != null) ? "left / right = " + Figures.ratio(result.ratio()) : Figures.UNKNOWN;
	}

}
