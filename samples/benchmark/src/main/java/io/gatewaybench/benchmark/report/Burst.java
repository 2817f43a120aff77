package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.gatewaybench.benchmark.load.SecondSample;
import org.jspecify.annotations.Nullable;

/**
 * What a burst did, second by second.
 *
 * @param offered the most requests that were offered in a second
 * @param longestMs the longest response time
 * @param recoveredAfter how many seconds after the burst response times were as before
 * it, {@code null} if they were not until the end
 */
record Burst(long offered, double longestMs, @Nullable Integer recoveredAfter) {

	// Less is what seconds without a burst differ by
	private static final double BURST = 2;

	private static final double AS_BEFORE = 1.5;

	/**
	 * How gateways took a burst, for the answer.
	 * @param rows of a run
	 * @return a sentence, empty if there was no burst
	 */
	static Optional<String> sentence(List<Row> rows) {
		List<String> parts = new ArrayList<>();
		long offered = 0;
		for (Row row : rows) {
			Burst burst = (row.control() || !row.first().load().hasSteps()) ? null : of(row.first().series());
			if (burst != null) {
				offered = Math.max(offered, burst.offered);
				parts.add("%s on %s, which %s".formatted(Figures.millis(burst.longestMs), row.title(),
						burst.recovered()));
			}
		}
		return parts.isEmpty() ? Optional.empty()
				: Optional.of("In a burst of %s requests/s, the longest request took %s."
					.formatted(Figures.count(offered), String.join("; ", parts)));
	}

	/**
	 * Finds the first burst.
	 * @param series the seconds of a measurement
	 * @return {@code null} if there is none with a second before it
	 */
	static @Nullable Burst of(List<SecondSample> series) {
		List<Long> offered = series.stream().map(SecondSample::offered).filter((each) -> each > 0).sorted().toList();
		double usual = offered.isEmpty() ? 0 : offered.get(offered.size() / 2);
		int begin = first(series, 0, usual, true);
		if (begin <= 0) {
			return null;
		}
		int end = first(series, begin, usual, false);
		int nextBurst = first(series, end, usual, true);
		double before = highest(series.subList(0, begin), SecondSample::p50Ms);
		int recovered = nextBurst;
		while (recovered > end && isAsBefore(series.get(recovered - 1), before)) {
			recovered--;
		}
		return new Burst(offered.getLast(), highest(series.subList(0, nextBurst), SecondSample::maxMs),
				(recovered < nextBurst) ? (Integer) (recovered - end) : null);
	}

	private static double highest(List<SecondSample> series, Function<SecondSample, @Nullable Double> figure) {
		return series.stream().map(figure).filter(Objects::nonNull).mapToDouble(Double::doubleValue).max().orElse(0);
	}

	private static int first(List<SecondSample> series, int from, double usual, boolean burst) {
		int second = from;
		while (second < series.size() && (series.get(second).offered() > BURST * usual) != burst) {
			second++;
		}
		return (second == series.size() && from == 0) ? -1 : second;
	}

	// A gateway that does not answer any more has not recovered
	private static boolean isAsBefore(SecondSample second, double before) {
		return (second.p50Ms() != null) ? second.p50Ms() <= AS_BEFORE * before
				: second.offered() == 0 && second.errors() == 0;
	}

	private String recovered() {
		return (this.recoveredAfter == null) ? "had not recovered when the measurement ended"
				: "recovered " + ((this.recoveredAfter == 0) ? "at once" : "after " + this.recoveredAfter + " s");
	}

}
