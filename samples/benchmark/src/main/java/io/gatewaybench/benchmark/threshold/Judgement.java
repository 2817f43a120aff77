package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.StartPrior;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.BetweenStarts;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import io.gatewaybench.benchmark.threshold.Condition.Figure;
import org.jspecify.annotations.Nullable;

/**
 * Answers a condition under one load: by the ratio of its sides in the slices of each
 * round, estimated as that of a variant and its baseline.
 *
 * @param condition the condition
 * @param load the load
 * @param ids the scenarios under this load, by the ids of variants
 * @param run what was measured
 */
record Judgement(Condition condition, String load, Map<String, String> ids, RunResults run) {

	private static final int MOST_STARTS = 100;

	ThresholdResult inconclusive(String reason) {
		return new ThresholdResult(this.condition.text(), this.load, Outcome.INCONCLUSIVE, null, reason);
	}

	ThresholdResult result() {
		List<Figure> figures = this.condition.figures();
		List<Pair> pairs = new ArrayList<>();
		for (Place place : places()) {
			if (figures.stream().allMatch((figure) -> value(figure, place) != null)) {
				double left = Objects.requireNonNull(value(this.condition.left(), place));
				double right = right(place);
				if (left > 0 && right > 0) {
					pairs.add(new Pair(place.start(), Math.log(left / right)));
				}
			}
		}
		if (pairs.isEmpty()) {
			return inconclusive("Its figures were never measured in the same round.");
		}
		boolean robust = figures.stream().noneMatch((figure) -> figure.metric().isPercentile());
		BetweenStarts known = figures.stream()
			.map((figure) -> StartPrior.of(figure.metric()))
			.max(Comparator.comparingDouble(BetweenStarts::sd))
			.orElseThrow();
		return answer(RatioEstimate.of(pairs, known, robust, Interval.CONFIDENCE));
	}

	/**
	 * A round of a start.
	 */
	private record Place(int start, int round) {
	}

	/**
	 * The rounds; only the starts where all figures are known at their ends.
	 */
	private List<Place> places() {
		boolean ofStarts = this.condition.figures().stream().allMatch((figure) -> figure.metric().isOfStart());
		return this.run.slices()
			.stream()
			.map((slice) -> new Place(slice.start(), ofStarts ? 0 : slice.round()))
			.distinct()
			.toList();
	}

	private double right(Place place) {
		Figure figure = this.condition.right();
		return this.condition.number() * ((figure != null) ? Objects.requireNonNull(value(figure, place)) : 1);
	}

	private @Nullable Double value(Figure figure, Place place) {
		String id = this.ids.get(figure.variant());
		Metric metric = figure.metric();
		if (metric.isOfStart()) {
			return this.run.scenarios()
				.stream()
				.filter((each) -> each.id().equals(id) && each.start() == place.start())
				.findFirst()
				.map(metric::of)
				.orElse(null);
		}
		return this.run.slices()
			.stream()
			.filter((slice) -> slice.scenario().equals(id) && slice.start() == place.start()
					&& slice.round() == place.round())
			.findFirst()
			.map((slice) -> slice.figures().get(metric))
			.orElse(null);
	}

	private ThresholdResult answer(Interval ratio) {
		double lowEnd = Objects.requireNonNull(ratio.low());
		double highEnd = Objects.requireNonNull(ratio.high());
		boolean low = this.condition.holds(lowEnd, 1);
		boolean high = this.condition.holds(highEnd, 1);
		if (low != high) {
			int starts = ratio.samplesToExclude(1);
			return result(Outcome.INCONCLUSIVE, ratio,
					"It holds in a part of the 95 % confidence interval; "
							+ ((starts <= MOST_STARTS) ? String.format(Locale.ROOT, "--starts %d could tell.", starts)
									: "both sides are so close that no run of a reasonable length could tell."));
		}
		return low ? result(Outcome.FAILED, ratio, "It holds in the whole 95 % confidence interval.")
				: result(Outcome.PASSED, ratio, "It holds nowhere in the 95 % confidence interval.");
	}

	private ThresholdResult result(Outcome outcome, Interval ratio, String reason) {
		return new ThresholdResult(this.condition.text(), this.load, outcome, ratio, reason);
	}

}
