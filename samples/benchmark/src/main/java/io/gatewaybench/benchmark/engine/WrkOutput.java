package io.gatewaybench.benchmark.engine;

import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What wrk found out, as {@link WrkScript} prints it.
 *
 * @param seconds how long it sent
 * @param counts what became of the requests; one without an answer that was not waited
 * for counts as never sent
 * @param failures the kinds of failures in plain words
 * @param latency from sending to the last byte, in nanoseconds
 * @param cpuSeconds CPU time of the process
 */
record WrkOutput(double seconds, Counts counts, List<String> failures, Histogram latency, double cpuSeconds) {

	/**
	 * The first word of the line with duration in microseconds, answers, those with an
	 * error status, timeouts, errors of connecting, reading and writing, and CPU seconds.
	 */
	static final String SUMMARY = "summary";

	/**
	 * The first word of a line with a latency in microseconds and how often it occurred.
	 */
	static final String LATENCY = "latency";

	private static final double MICROS_PER_SECOND = 1e6;

	private static final long NANOS_PER_MICRO = 1_000;

	/**
	 * Reads the output.
	 * @param lines all lines
	 * @return what they say, {@code null} without a summary
	 */
	static @Nullable WrkOutput parse(List<String> lines) {
		Histogram latency = LatencyHistogram.newHistogram();
		String[] summary = null;
		for (String line : lines) {
			String[] words = line.split(" ");
			if (words[0].equals(SUMMARY) && words.length == 9) {
				summary = words;
			}
			else if (words[0].equals(LATENCY) && words.length == 3) {
				latency.recordValueWithCount(
						Math.min(Long.parseLong(words[1]) * NANOS_PER_MICRO, LatencyHistogram.HIGHEST_NANOS),
						Long.parseLong(words[2]));
			}
		}
		return (summary != null) ? of(summary, latency) : null;
	}

	private static WrkOutput of(String[] summary, Histogram latency) {
		long answers = Long.parseLong(summary[2]);
		long status = Long.parseLong(summary[3]);
		long timeout = Long.parseLong(summary[4]);
		long refused = Long.parseLong(summary[5]);
		long reset = Long.parseLong(summary[6]) + Long.parseLong(summary[7]);
		Counts counts = new Counts(answers + timeout + refused + reset, answers - status, status, timeout, refused,
				reset, 0, 0);
		List<String> failures = new ArrayList<>();
		if (status > 0) {
			failures.add(status + " answers with a status above 399");
		}
		if (timeout > 0) {
			failures.add(timeout + " timeouts");
		}
		if (refused > 0) {
			failures.add(refused + " connections could not be opened");
		}
		if (reset > 0) {
			failures.add(reset + " connections failed");
		}
		return new WrkOutput(Long.parseLong(summary[1]) / MICROS_PER_SECOND, counts, failures, latency,
				Double.parseDouble(summary[8]));
	}

}
