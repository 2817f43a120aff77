package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.result.RunResults;
import org.jspecify.annotations.Nullable;

/**
 * What a burst did, second by second.
 *
 * @param offered the most requests that were offered in a second
 * @param waiting the most requests that had no response yet at the end of a second
 * @param longestMs the longest response time
 * @param recoveredAfter how many seconds after the burst response times were as before
 * it, {@code null} if they were not until the end
 */
record Burst(long offered, long waiting, double longestMs, @Nullable Integer recoveredAfter) {

	// Less is what seconds without a burst differ by
	private static final double BURST = 2;

	private static final double AS_BEFORE = 1.5;

	static Table table(RunResults results) {
		return Table.of("Bursts",
				"In the first start. A gateway has recovered when, from then on, the P50 of the response time of "
						+ "every second is at most 1.5 times the highest P50 of a second before the burst.",
				List.of("row", "offered at most", "waiting at most", "longest response time", "recovered"),
				(rows) -> Row.of(results).stream().filter((row) -> row.first().load().hasSteps()).forEach((row) -> {
					Burst burst = of(row.first().series());
					if (burst != null) {
						rows.accept(List.of(row.title(), Figures.count(burst.offered) + "/s",
								Figures.count(burst.waiting), Figures.millis(burst.longestMs), burst.recovered()));
					}
				}));
	}

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
						(burst.recoveredAfter != null) ? "recovered " + burst.recovered()
								: "had not recovered when the measurement ended"));
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
		double before = series.subList(0, begin)
			.stream()
			.map(SecondSample::p50Ms)
			.filter(Objects::nonNull)
			.mapToDouble(Double::doubleValue)
			.max()
			.orElse(0);
		int recovered = nextBurst;
		while (recovered > end && isAsBefore(series.get(recovered - 1), before)) {
			recovered--;
		}
		long waiting = 0;
		long most = 0;
		double longest = 0;
		for (SecondSample second : series.subList(0, nextBurst)) {
			waiting += second.offered() - second.ok() - second.errors();
			most = Math.max(most, waiting);
			longest = Math.max(longest, (second.maxMs() != null) ? second.maxMs() : 0);
		}
		return new Burst(offered.getLast(), most, longest,
				(recovered < nextBurst) ? (Integer) (recovered - end) : null);
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
		return (this.recoveredAfter == null) ? "not until the end" : (this.recoveredAfter == 0) ? "at once"
				: String.format(Locale.ROOT, "after %d s", this.recoveredAfter);
	}

}
