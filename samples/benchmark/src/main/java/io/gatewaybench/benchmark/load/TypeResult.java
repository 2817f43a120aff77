package io.gatewaybench.benchmark.load;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What became of one request type in one stage.
 *
 * @param type the name of the type
 * @param counts what became of its requests
 * @param okInWindow the successful responses that were complete before the end of the
 * measured window, the ones throughput is made of
 * @param statuses how many complete responses had which HTTP status
 * @param failures up to ten different failures in plain words, such as
 * {@code GET /a: expected status 200, got 503}
 * @param latency the views of latency
 * @param backendMeanMs how long the backends say that they took for successful responses,
 * on average; {@code null} if they do not say
 */
public record TypeResult(String type, Counts counts, long okInWindow, Map<Integer, Long> statuses,
		List<String> failures, LatencyViews latency, @Nullable Double backendMeanMs) {

	static final int MAX_FAILURES = 10;

	/**
	 * Copies the values.
	 */
	public TypeResult {
		statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
		failures = List.copyOf(failures);
	}

	/**
	 * Adds up results; histograms are merged.
	 * @param name the name of the sum
	 * @param parts the parts
	 * @return the sum
	 */
	public static TypeResult merge(String name, List<TypeResult> parts) {
		Map<Integer, Long> statuses = new TreeMap<>();
		parts.forEach((part) -> part.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum)));
		return new TypeResult(name, parts.stream().map(TypeResult::counts).reduce(Counts.NONE, Counts::plus),
				parts.stream().mapToLong(TypeResult::okInWindow).sum(), statuses,
				parts.stream().flatMap((part) -> part.failures.stream()).distinct().limit(MAX_FAILURES).toList(),
				LatencyViews.merge(parts.stream().map(TypeResult::latency).toList()), backendMean(parts));
	}

	private static @Nullable Double backendMean(List<TypeResult> parts) {
		double sum = 0;
		long count = 0;
		for (TypeResult part : parts) {
			if (part.backendMeanMs != null) {
				long timed = part.latency.overhead().summary().count();
				sum += part.backendMeanMs * timed;
				count += timed;
			}
		}
		return (count > 0) ? (Double) (sum / count) : null;
	}

}
