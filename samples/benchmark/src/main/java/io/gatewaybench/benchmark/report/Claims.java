package io.gatewaybench.benchmark.report;

import java.util.List;

import io.gatewaybench.benchmark.result.ClaimResult;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Claim;

/**
 * What a study says, beside what was measured.
 */
final class Claims {

	private Claims() {
	}

	static Table table(RunResults results) {
		return Table.of("What the study says, and what we find",
				"Both figures are ratios of the two variants that the sentence is about.",
				List.of("what the study says", "published", "ours", "answer"),
				(rows) -> results.claims()
					.forEach((each) -> rows.accept(
							List.of(each.claim().text(), published(each.claim()), ours(each), answer(each.answer())))));
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
		return (result.measured() == null) ? Figures.UNKNOWN
				: Figures.ratio(result.measured().ratio()).replaceFirst(" ", " times ");
	}

	/**
	 * In plain words.
	 */
	static String answer(ClaimResult.Answer answer) {
		return switch (answer) {
			case AGREES -> "we agree";
			case CONTRADICTS -> "we do not agree";
			case OPEN -> "not decided: more starts could tell";
			case UNKNOWN -> "we have not measured both together";
		};
	}

}
