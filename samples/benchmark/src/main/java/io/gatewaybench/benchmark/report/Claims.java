package io.gatewaybench.benchmark.report;

import java.util.List;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.ClaimResult;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.suite.Claim;

/**
 * What a study says, beside what was measured.
 */
final class Claims {

	private Claims() {
	}

	static final List<String> HEAD = List.of("what the study says", "published", "ours", "answer");

	/**
	 * The claims of a run.
	 */
	static Table table(RunResults results) {
		return Table.of("What the study says, and what we find",
				"Both figures are ratios of the two variants that the sentence is about.", HEAD,
				(rows) -> rows(results).forEach(rows));
	}

	/**
	 * A row of {@link #HEAD} for each claim. Both figures are ratios of the two scenarios
	 * that the claim is about.
	 */
	static List<List<String>> rows(RunResults results) {
		return results.claims()
			.stream()
			.map((each) -> List.of(each.claim().text(), published(each.claim()), ours(each), answer(each.answer())))
			.toList();
	}

	private static String published(Claim claim) {
		String title = Metric.named(claim.metric()).orElseThrow().title();
		return switch (claim.direction()) {
			case LESS -> "less ";
			case EQUAL -> "the same ";
			case MORE -> "more ";
		} + title + ((claim.ratio() != null) ? ", " + Figures.significant(claim.ratio()) + " times" : "");
	}

	private static String ours(ClaimResult result) {
		Interval ratio = (result.measured() != null) ? result.measured().ratio() : null;
		return (ratio == null) ? Figures.UNKNOWN
				: Cell.of(ratio, (value) -> Figures.significant(value) + " times", Mark.NONE).line();
	}

	/**
	 * In plain words.
	 */
	static String answer(ClaimResult.Answer answer) {
		return switch (answer) {
			case AGREES -> "we agree";
			case CONTRADICTS -> "we do not agree";
			case POINTS_THE_SAME_WAY -> "one block points the same way, which may be chance";
			case POINTS_ANOTHER_WAY -> "one block points another way, which may be chance";
			case INCONCLUSIVE -> "inconclusive; run more blocks or starts";
			case UNKNOWN -> "we have no valid measurement of both";
		};
	}

}
