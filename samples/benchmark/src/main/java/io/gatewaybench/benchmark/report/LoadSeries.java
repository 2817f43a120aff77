package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;

/**
 * Closed loads of the same requests that differ in the number of their users.
 *
 * @param name the names of the requests; empty if they are all of the suite
 * @param loads the loads, the fewest users first
 */
record LoadSeries(String name, List<LoadFigures> loads) {

	private static final int FEWEST_LOADS = 3;

	LoadSeries {
		loads = loads.stream().sorted(Comparator.comparingInt(LoadFigures::connections)).toList();
	}

	/**
	 * The series of a run.
	 * @param results the run
	 * @return those with more than one load; none where so few loads were measured that
	 * the table of all scenarios shows them as well
	 */
	static List<LoadSeries> of(RunResults results) {
		Map<String, Map<String, LoadFigures>> series = new LinkedHashMap<>();
		for (ScenarioResult result : results.inSuiteOrder()) {
			LoadFigures load = result.load();
			if (!load.openModel()) {
				series
					.computeIfAbsent((load.selection() != null) ? load.selection() : "",
							(name) -> new LinkedHashMap<>())
					.putIfAbsent(load.id(), load);
			}
		}
		List<LoadSeries> all = new ArrayList<>();
		if (series.values().stream().mapToInt(Map::size).sum() >= FEWEST_LOADS) {
			series.forEach((name, loads) -> all.add(new LoadSeries(name, List.copyOf(loads.values()))));
		}
		return all.stream().filter((each) -> each.loads().size() > 1).toList();
	}

	/**
	 * The end of a heading.
	 */
	String suffix() {
		return this.name.isEmpty() ? "" : ", " + this.name;
	}

	/**
	 * The number of users of a load, and how much each sends if the load says so.
	 */
	static String users(LoadFigures load) {
		return "× " + load.connections() + ((load.iterations() != null) ? ", " + load.iterations() + " each" : "");
	}

}
