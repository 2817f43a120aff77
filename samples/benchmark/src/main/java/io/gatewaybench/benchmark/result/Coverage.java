package io.gatewaybench.benchmark.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;

/**
 * How often the intervals of short runs hold what a run of many starts has shown. The
 * short runs are parts of it: some of its starts, with three quarters of their rounds.
 *
 * @param comparison the ids of both scenarios
 * @param metric the figure
 * @param ratio what all starts have shown together
 * @param starts how many starts a short run has
 * @param runs the number of short runs. With one start, each start is one
 * @param contained the part of their 95 % intervals with the ratio in it, 0 to 1
 * @param different the part of them without 1 in it, 0 to 1
 * @param halfWidth their mean half width, as a part of the ratio
 */
public record Coverage(String comparison, String metric, double ratio, int starts, int runs, double contained,
		double different, double halfWidth) {

	private static final int RUNS = 1_000;

	private static final int MOST_STARTS = 3;

	private static final double ROUNDS = 0.75;

	/**
	 * Looks at the main figure of the first run.
	 * @param runs runs of the same suite, of many starts together
	 * @return each comparison with one, two and three starts
	 */
	public static List<Coverage> of(List<RunResults> runs) {
		Metric metric = runs.getFirst().question().metric();
		Map<String, List<List<Pair>>> comparisons = new LinkedHashMap<>();
		runs.forEach((run) -> Analysis.pairs(run, metric)
			.forEach((comparison, pairs) -> comparisons.computeIfAbsent(comparison, (any) -> new ArrayList<>())
				.addAll(starts(pairs))));
		List<Coverage> all = new ArrayList<>();
		comparisons.forEach((comparison, starts) -> {
			double ratio = interval(starts, metric).estimate();
			for (int count = 1; count <= Math.min(MOST_STARTS, starts.size() - 1); count++) {
				all.add(of(comparison, metric, ratio, intervals(starts, count, metric), count));
			}
		});
		return all;
	}

	private static Collection<List<Pair>> starts(List<Pair> pairs) {
		return pairs.stream().collect(Collectors.groupingBy(Pair::start, TreeMap::new, Collectors.toList())).values();
	}

	private static Coverage of(String comparison, Metric metric, double ratio, List<Interval> intervals, int starts) {
		double runs = intervals.size();
		return new Coverage(comparison, metric.key(), ratio, starts, intervals.size(),
				intervals.stream().filter((interval) -> interval.contains(ratio)).count() / runs,
				intervals.stream().filter((interval) -> !interval.contains(1)).count() / runs,
				intervals.stream().mapToDouble(Interval::halfWidth).average().orElseThrow());
	}

	private static List<Interval> intervals(List<List<Pair>> starts, int count, Metric metric) {
		if (count == 1) {
			return starts.stream().map((start) -> interval(List.of(start), metric)).toList();
		}
		Random random = new Random(1);
		List<Interval> intervals = new ArrayList<>();
		for (int run = 0; run < RUNS; run++) {
			intervals.add(interval(some(starts, count, random).stream()
				.map((start) -> some(start, (int) Math.ceil(ROUNDS * start.size()), random))
				.toList(), metric));
		}
		return intervals;
	}

	private static <T> List<T> some(List<T> all, int count, Random random) {
		List<T> shuffled = new ArrayList<>(all);
		Collections.shuffle(shuffled, random);
		return List.copyOf(shuffled.subList(0, count));
	}

	private static Interval interval(List<List<Pair>> starts, Metric metric) {
		List<Pair> pairs = new ArrayList<>();
		// Starts of several runs may have the same number
		for (int number = 0; number < starts.size(); number++) {
			for (Pair pair : starts.get(number)) {
				pairs.add(new Pair(number, pair.logarithm()));
			}
		}
		return RatioEstimate.of(pairs, StartPrior.of(metric, 0), !metric.isPercentile(), Interval.CONFIDENCE);
	}

}
