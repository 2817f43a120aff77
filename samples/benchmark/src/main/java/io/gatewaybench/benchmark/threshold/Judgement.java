package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.PairedComparison;
import io.gatewaybench.benchmark.statistics.PairedComparison.Pair;
import io.gatewaybench.benchmark.threshold.Condition.Figure;
import org.jspecify.annotations.Nullable;

/**
 * Answers a condition under one load.
 *
 * @param condition the condition
 * @param load the load
 * @param measured measurements under this load, valid or not, by the ids of variants
 */
record Judgement(Condition condition, String load, Map<String, List<ScenarioResult>> measured) {

	ThresholdResult inconclusive(String reason) {
		return result(Outcome.INCONCLUSIVE, null, null, reason);
	}

	ThresholdResult result() {
		List<Figure> figures = this.condition.figures();
		String missing = figures.stream().map(this::missing).filter(Objects::nonNull).findFirst().orElse(null);
		if (missing != null) {
			return inconclusive(missing);
		}
		// Blocks in which something disturbed one of them are no reason to give up pairs
		if (blocks(figures, this::measured).isEmpty()) {
			return unpaired();
		}
		Map<Integer, List<Pair>> pairs = new TreeMap<>();
		for (int block : blocks(figures, this::usable)) {
			Pair pair = new Pair(value(this.condition.left(), block), right(block));
			pairs.computeIfAbsent(in(block, figures.getFirst()).start(), (start) -> new ArrayList<>()).add(pair);
		}
		if (pairs.isEmpty()) {
			return inconclusive("There is no block in which nothing disturbed any of its figures.");
		}
		Interval ratio = PairedComparison.of(pairs).ratio();
		return (ratio != null) ? answer(ratio, 1, ratio, null)
				: ofDifference(Interval.ofMeans(pairs.values()
					.stream()
					.map((each) -> each.stream().map((pair) -> pair.variant() - pair.baseline()).toList())
					.toList()));
	}

	/**
	 * Why there is nothing to judge a figure by, {@code null} if there is.
	 */
	private @Nullable String missing(Figure figure) {
		if (measured(figure).isEmpty()) {
			return figure.variant() + " was not measured.";
		}
		List<ScenarioResult> usable = usable(figure);
		if (usable.isEmpty()) {
			return "Something disturbed every measurement of " + figure + ".";
		}
		// If blocks without a value were left out, the worst blocks would not count
		return usable.stream()
			.filter((result) -> figure.metric().of(result) == null)
			.findFirst()
			.map((result) -> figure + " has no value in block " + result.block() + ".")
			.orElse(null);
	}

	/**
	 * For variants that are never measured in the same block, as in different duets.
	 */
	private ThresholdResult unpaired() {
		Collection<List<Double>> left = values(this.condition.left(), (block) -> value(this.condition.left(), block));
		Collection<List<Double>> right = values(Objects.requireNonNull(this.condition.right()), this::right);
		Interval ratio = (left.isEmpty() || right.isEmpty()) ? null
				: PairedComparison.ofIndependent(left, right).ratio();
		return (ratio != null && Double.isFinite(ratio.estimate())) ? answer(ratio, 1, ratio, null)
				: inconclusive("Its variants are never measured in the same block, and there only the ratio of two "
						+ "undisturbed sides above 0 can be told.");
	}

	private Collection<List<Double>> values(Figure figure, IntToDoubleFunction value) {
		Map<Integer, List<Double>> values = new TreeMap<>();
		for (int block : blocks(List.of(figure), this::usable)) {
			values.computeIfAbsent(in(block, figure).start(), (start) -> new ArrayList<>())
				.add(value.applyAsDouble(block));
		}
		return values.values();
	}

	private ThresholdResult ofDifference(Interval difference) {
		return answer(difference, 0, null, difference);
	}

	private ThresholdResult answer(Interval interval, double limit, @Nullable Interval ratio,
			@Nullable Interval difference) {
		if (interval.low() == null || interval.high() == null) {
			return result(Outcome.INCONCLUSIVE, ratio, difference,
					"It was measured once, which gives no interval; use --blocks 3 or more.");
		}
		boolean low = this.condition.holds(interval.low(), limit);
		boolean high = this.condition.holds(interval.high(), limit);
		if (low != high) {
			return result(Outcome.INCONCLUSIVE, ratio, difference,
					"It holds in a part of the 95 % confidence interval; more blocks could tell.");
		}
		return low ? result(Outcome.FAILED, ratio, difference, "It holds in the whole 95 % confidence interval.")
				: result(Outcome.PASSED, ratio, difference, "It holds nowhere in the 95 % confidence interval.");
	}

	private ThresholdResult result(Outcome outcome, @Nullable Interval ratio, @Nullable Interval difference,
			String reason) {
		String unit = (difference == null) ? "" : this.condition.left().metric().unit();
		return new ThresholdResult(this.condition.text(), this.load, outcome, ratio, difference, unit, reason);
	}

	private List<ScenarioResult> measured(Figure figure) {
		return this.measured.getOrDefault(figure.variant(), List.of());
	}

	private List<ScenarioResult> usable(Figure figure) {
		return measured(figure).stream().filter((result) -> result.verdict().allows(figure.metric())).toList();
	}

	/**
	 * The blocks in which all figures have a measurement.
	 */
	private static Set<Integer> blocks(List<Figure> figures, Function<Figure, List<ScenarioResult>> measurements) {
		Set<Integer> common = new TreeSet<>();
		for (Figure figure : figures) {
			List<Integer> blocks = measurements.apply(figure).stream().map(ScenarioResult::block).toList();
			if (figure == figures.getFirst()) {
				common.addAll(blocks);
			}
			common.retainAll(blocks);
		}
		return common;
	}

	private ScenarioResult in(int block, Figure figure) {
		return measured(figure).stream().filter((result) -> result.block() == block).findFirst().orElseThrow();
	}

	private double value(Figure figure, int block) {
		return Objects.requireNonNull(figure.metric().of(in(block, figure)));
	}

	private double right(int block) {
		Figure right = this.condition.right();
		return (right != null) ? this.condition.number() * value(right, block) : this.condition.number();
	}

}
