package io.gatewaybench.benchmark.result;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.statistics.BetweenStarts;
import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is known of how starts differ, by metric: the content of
 * {@code between-starts.json}, which says where it comes from.
 */
public final class StartPrior {

	private static final JsonNode FILE = JsonMapper.shared()
		.readTree(Resource.text(StartPrior.class, "between-starts.json"));

	private static final Map<Metric, BetweenStarts> KNOWN = known();

	private StartPrior() {
	}

	/**
	 * What is known of a metric.
	 * @param metric the metric
	 * @param taken the part of the CPU time that other programs and other machines had.
	 * Gateways that get few of the cores have other ratios
	 * @return how the ratio of two gateways differs between starts
	 */
	public static BetweenStarts of(Metric metric, double taken) {
		BetweenStarts quiet = Objects.requireNonNull(KNOWN.get(metric));
		return metric.settlesAtOnce() ? quiet : quiet.times(widening(taken), FILE.at("/taken/freedom").doubleValue());
	}

	/**
	 * How much more ratios differ on a busy machine.
	 * @param taken the part of the CPU time that other programs and other machines had
	 * @return a factor, 1 on a quiet machine
	 */
	public static double widening(double taken) {
		return Math.hypot(1, taken * FILE.at("/taken/times").doubleValue());
	}

	/**
	 * Measures it anew: the mean variance of all comparisons of some runs.
	 * @param runs runs of several starts each
	 * @return what is known of each metric that they have
	 */
	public static Map<Metric, BetweenStarts> of(List<RunResults> runs) {
		Map<Metric, BetweenStarts> known = new EnumMap<>(Metric.class);
		for (Metric metric : Metric.values()) {
			double variance = 0;
			double freedom = 0;
			for (RunResults run : runs) {
				for (List<Pair> pairs : Analysis.pairs(run, metric).values()) {
					if (pairs.stream().map(Pair::start).distinct().count() > 1) {
						BetweenStarts spread = RatioEstimate.spread(pairs, !metric.isPercentile());
						variance += spread.sd() * spread.sd() * spread.freedom();
						freedom += spread.freedom();
					}
				}
			}
			if (freedom > 0) {
				known.put(metric, new BetweenStarts(Math.sqrt(variance / freedom), freedom));
			}
		}
		return known;
	}

	private static Map<Metric, BetweenStarts> known() {
		Map<Metric, BetweenStarts> known = new EnumMap<>(Metric.class);
		for (Metric metric : Metric.values()) {
			known.put(metric,
					JsonMapper.shared().treeToValue(FILE.path("metrics").required(metric.key()), BetweenStarts.class));
		}
		return known;
	}

}
