package io.gatewaybench.benchmark.observe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What gateway and machine did in each second of a measurement. The values of all lists
 * belong to {@code seconds}, in the same order. A list is empty where nobody tells, and
 * shorter where the gateway ended during the measurement.
 *
 * @param seconds which seconds, from 0, in the order of time. One is left out when it was
 * not looked at in time; the next one then stands for both
 * @param cores CPU time of the gateway per second, by what its threads are for; without
 * those that had none
 * @param threads its threads at the end of the second; virtual threads are not counted
 * @param sockets its open sockets at the end of the second; a file that it has opened
 * during the measurement counts as one
 * @param residentBytes what it has in memory at the end of the second
 * @param heapUsedBytes heap of its JVM in use, garbage included, as the JVM last told:
 * with G1 when a region was taken into use, with the other collectors after a collection
 * @param collectionMillis milliseconds per second for which collections stopped it
 * @param pressure the part of the second in which a thread of the machine waited for a
 * core, 0 to 1
 */
public record ResourceSeries(List<Integer> seconds, Map<ThreadGroup, List<Double>> cores, List<Integer> threads,
		List<Integer> sockets, List<Long> residentBytes, List<Long> heapUsedBytes, List<Double> collectionMillis,
		List<Double> pressure) {

	/**
	 * Copies the lists and the map.
	 */
	public ResourceSeries {
		seconds = List.copyOf(seconds);
		Map<ThreadGroup, List<Double>> copy = new EnumMap<>(ThreadGroup.class);
		cores.forEach((group, values) -> copy.put(group, List.copyOf(values)));
		cores = Collections.unmodifiableMap(copy);
		threads = List.copyOf(threads);
		sockets = List.copyOf(sockets);
		residentBytes = List.copyOf(residentBytes);
		heapUsedBytes = List.copyOf(heapUsedBytes);
		collectionMillis = List.copyOf(collectionMillis);
		pressure = List.copyOf(pressure);
	}

	/**
	 * Both together, where this came first.
	 * @param next what came later
	 * @param offset at which second it begins
	 * @return one series
	 */
	public ResourceSeries then(ResourceSeries next, int offset) {
		Map<ThreadGroup, List<Double>> all = new EnumMap<>(ThreadGroup.class);
		for (ThreadGroup group : ThreadGroup.values()) {
			if (this.cores.containsKey(group) || next.cores.containsKey(group)) {
				all.put(group, joined(of(group), next.of(group)));
			}
		}
		return new ResourceSeries(joined(this.seconds, next.seconds.stream().map((second) -> second + offset).toList()),
				all, joined(this.threads, next.threads), joined(this.sockets, next.sockets),
				joined(this.residentBytes, next.residentBytes), joined(this.heapUsedBytes, next.heapUsedBytes),
				joined(this.collectionMillis, next.collectionMillis), joined(this.pressure, next.pressure));
	}

	private List<Double> of(ThreadGroup group) {
		return this.cores.getOrDefault(group, Collections.nCopies(this.seconds.size(), 0.0));
	}

	private static <T> List<T> joined(List<T> first, List<T> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	/**
	 * Puts what was seen into seconds.
	 * @param intervals what happened between looks, in the order of time
	 * @param start when the measurement began
	 * @return the series, {@code null} without a second of the measurement
	 */
	static @Nullable ResourceSeries of(List<SecondSnapshot.Interval> intervals, long start) {
		List<Integer> seconds = new ArrayList<>();
		List<SecondSnapshot.Interval> counting = new ArrayList<>();
		for (SecondSnapshot.Interval interval : intervals) {
			int second = (int) Math.round((interval.nanoTime() - start) / 1e9) - 1;
			// Before the start, connections were opened
			if (second >= 0 && (seconds.isEmpty() || second > seconds.getLast())) {
				seconds.add(second);
				counting.add(interval);
			}
		}
		return seconds.isEmpty() ? null
				: new ResourceSeries(seconds, groups(counting), column(counting, SecondSnapshot.Interval::threads),
						column(counting, SecondSnapshot.Interval::sockets),
						column(counting, SecondSnapshot.Interval::residentBytes),
						column(counting, SecondSnapshot.Interval::heapUsedBytes),
						rounded(counting, SecondSnapshot.Interval::collectionMillis),
						rounded(counting, SecondSnapshot.Interval::pressure));
	}

	private static Map<ThreadGroup, List<Double>> groups(List<SecondSnapshot.Interval> intervals) {
		Map<ThreadGroup, List<Double>> groups = new EnumMap<>(ThreadGroup.class);
		for (ThreadGroup group : ThreadGroup.values()) {
			List<Double> cores = rounded(intervals, (interval) -> interval.cores(group));
			if (cores.stream().anyMatch((value) -> value > 0)) {
				groups.put(group, cores);
			}
		}
		return groups;
	}

	/**
	 * To a thousandth, as more digits would make the results twice as large.
	 */
	private static List<Double> rounded(List<SecondSnapshot.Interval> intervals,
			Function<SecondSnapshot.Interval, @Nullable Double> value) {
		return column(intervals, value).stream().map((each) -> Math.round(each * 1000) / 1000.0).toList();
	}

	private static <T> List<T> column(List<SecondSnapshot.Interval> intervals,
			Function<SecondSnapshot.Interval, @Nullable T> value) {
		List<T> column = new ArrayList<>();
		for (SecondSnapshot.Interval interval : intervals) {
			T known = value.apply(interval);
			if (known == null) {
				break;
			}
			column.add(known);
		}
		return column;
	}

}
