package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ResourceSeries;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.jspecify.annotations.Nullable;

/**
 * The charts that show the slices of a scenario second by second, one after the other,
 * with one cursor in all of them.
 *
 * @param names what measurements are called
 * @param shown the measurements
 * @param left how many are left out
 */
record SecondCharts(Measurements names, List<ScenarioResult> shown, int left) {

	/**
	 * More would make the page large and slow.
	 */
	private static final int MOST_SECONDS = 12_000;

	private static final double BYTES_PER_MIB = 1 << 20;

	static SecondCharts of(RunResults results) {
		List<ScenarioResult> shown = new ArrayList<>();
		int seconds = 0;
		for (ScenarioResult result : results.scenarios()
			.stream()
			.sorted(Comparator.comparingInt(ScenarioResult::start))
			.toList()) {
			seconds += result.series().size();
			if (seconds <= MOST_SECONDS) {
				shown.add(result);
			}
		}
		return new SecondCharts(new Measurements(results), shown, results.scenarios().size() - shown.size());
	}

	Stream<Chart> all() {
		return Stream.of(requests(), cores(), memory(), threads(), machine());
	}

	private Chart requests() {
		return Chart.of("series", "Second by second",
				"Offered are requests that were to start in a second, sent those that went out to the target in it, ok and errors those that "
						+ "ended in it; latency is response time. Generator lag is how late the generator itself was, at most. "
						+ "Where sent is less than offered, or lag is high, requests waited in the generator, for it or for a free "
						+ "connection, and not in the gateway. "
						+ "The cursor is the same in this chart and in all below it, and so are the seconds chosen with the slider."
						+ ((this.left > 0)
								? " " + this.left + " later measurements are left out to keep this page small." : ""),
				List.of("measurement", "second", "offered", "sent", "ok", "errors", "P50, ms", "P99, ms", "max, ms",
						"generator lag, ms"),
				(rows) -> this.shown.forEach((result) -> {
					for (SecondSample sample : result.series()) {
						if (isWithin(sample.second(), result)) {
							rows.add(this.names.name(result), sample.second(), sample.offered(), sample.sent(),
									sample.ok(), sample.errors(), sample.p50Ms(), sample.p99Ms(), sample.maxMs(),
									sample.lagMs());
						}
					}
				}));
	}

	private Chart cores() {
		Map<String, Function<ResourceSeries, List<? extends Number>>> columns = new LinkedHashMap<>();
		columns.put("all, cores", SecondCharts::allCores);
		for (ThreadGroup group : ThreadGroup.values()) {
			if (this.shown.stream()
				.map((result) -> result.resources().series())
				.anyMatch((series) -> series != null && series.cores().containsKey(group))) {
				columns.put(Costs.name(group) + ", cores", (series) -> series.cores()
					.getOrDefault(group, Collections.nCopies(series.threads().size(), 0.0)));
			}
		}
		return resources("cores", "CPU of the gateway by thread group",
				"All is the CPU time of the gateway in a second, in cores: at 1 it had one core all the time. "
						+ "Where GC or JIT grows while ok falls, it took the cores from the requests.",
				columns);
	}

	private static List<Double> allCores(ResourceSeries series) {
		return IntStream.range(0, series.threads().size())
			.mapToObj((index) -> series.cores().values().stream().mapToDouble((group) -> group.get(index)).sum())
			// To a thousandth, as the parts are
			.map((sum) -> Math.round(sum * 1000) / 1000.0)
			.toList();
	}

	private Chart memory() {
		Map<String, Function<ResourceSeries, List<? extends Number>>> columns = new LinkedHashMap<>();
		columns.put("resident, MiB", (series) -> mebibytes(series.residentBytes()));
		columns.put("heap, MiB", (series) -> mebibytes(series.heapUsedBytes()));
		columns.put("GC, ms", ResourceSeries::collectionMillis);
		return resources("memory", "Memory and garbage collection of the gateway",
				"Resident is all memory of the process, heap what is in use with its garbage, as the JVM last told: with G1 when it "
						+ "takes a region into use, with other collectors after a collection. "
						+ "GC is the time in each second for which collections stopped the gateway; where max latency rises with it, requests waited for them.",
				columns);
	}

	private Chart threads() {
		Map<String, Function<ResourceSeries, List<? extends Number>>> columns = new LinkedHashMap<>();
		columns.put("threads", ResourceSeries::threads);
		columns.put("sockets", ResourceSeries::sockets);
		return resources("threads", "Threads and sockets of the gateway",
				"Both are numbers at the end of a second; virtual threads are not counted. "
						+ "Sockets that keep growing are connections to clients or upstreams that are not used again.",
				columns);
	}

	private Chart resources(String id, String caption, String howToRead,
			Map<String, Function<ResourceSeries, List<? extends Number>>> columns) {
		List<String> head = new ArrayList<>(List.of("measurement", "second"));
		head.addAll(columns.keySet());
		return Chart.of(id, caption, howToRead, head, (rows) -> this.shown.forEach((result) -> {
			ResourceSeries series = result.resources().series();
			if (series != null) {
				List<? extends List<? extends Number>> values = columns.values()
					.stream()
					.map((column) -> column.apply(series))
					.toList();
				for (int index = 0; index < series.seconds().size(); index++) {
					List<@Nullable Number> row = new ArrayList<>();
					for (List<? extends Number> column : values) {
						row.add(at(column, index));
					}
					add(rows, result, series.seconds().get(index), row);
				}
			}
		}));
	}

	private Chart machine() {
		return Chart.of("machine", "Pressure and steal of the machine",
				"Pressure is the part of a second in which a thread of any process waited for a core, steal the part of all cores' time "
						+ "that other machines on the same host had. "
						+ "Where both rise together with a dip of ok, other machines took the cores; where only pressure rises, the load itself did.",
				List.of("measurement", "second", "pressure, %", "steal, %"), (rows) -> this.shown.forEach((result) -> {
					MachineUse machine = result.resources().machine();
					ResourceSeries series = result.resources().series();
					for (int second = 0; second < result.seconds(); second++) {
						Double pressure = (series != null) ? at(series.pressure(), series.seconds().indexOf(second))
								: null;
						Double steal = (machine != null) ? at(machine.stealBySecond(), second) : null;
						add(rows, result, second, Arrays.asList(percent(pressure), percent(steal)));
					}
				}));
	}

	private void add(Chart.Rows rows, ScenarioResult result, int second, List<? extends @Nullable Number> values) {
		if (isWithin(second, result) && values.stream().anyMatch(Objects::nonNull)) {
			List<@Nullable Object> row = new ArrayList<>(List.of(this.names.name(result), second));
			row.addAll(values);
			rows.add(row.toArray());
		}
	}

	/**
	 * The last answers arrive after the end, in a second that is none of the measurement.
	 */
	private static boolean isWithin(int second, ScenarioResult result) {
		return second < result.seconds();
	}

	private static <T> @Nullable T at(List<T> column, int index) {
		return (index >= 0 && index < column.size()) ? column.get(index) : null;
	}

	private static List<Double> mebibytes(List<Long> bytes) {
		return bytes.stream().map((each) -> Math.round(each / BYTES_PER_MIB * 10) / 10.0).toList();
	}

	private static @Nullable Double percent(@Nullable Double part) {
		return (part != null) ? (Double) (Math.round(part * 10_000) / 100.0) : null;
	}

}
