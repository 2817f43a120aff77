package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * One thing of two runs that decides what their figures can be compared for.
 *
 * @param name what it is
 * @param first what it consists of in A, nothing if it is unknown
 * @param second what it consists of in B
 * @param consequence what it means where both differ
 */
record Circumstance(String name, List<String> first, List<String> second, String consequence) {

	private static final String CODE = "this may be what you compare.";

	private static final int MOST = 3;

	/**
	 * All of them.
	 * @param ids the scenarios that both have
	 */
	static List<Circumstance> of(RunResults first, RunResults second, List<String> ids) {
		Environment one = first.environment();
		Environment other = second.environment();
		return List.of(
				new Circumstance("machine", Setup.machine(one), Setup.machine(other),
						"ratios of CPU time mean little."),
				new Circumstance("JDK", List.of(Setup.jdk(one)), List.of(Setup.jdk(other)),
						"the JVM alone may make a difference."),
				new Circumstance("heap", List.of(first.settings().heap()), List.of(second.settings().heap()),
						"garbage collection alone may make a difference."),
				new Circumstance("load", load(first, ids), load(second, ids),
						"the gateways had different work to do, and ratios mean little."),
				new Circumstance("seed", List.of(Long.toString(first.settings().seed())),
						List.of(Long.toString(second.settings().seed())), "other requests in another order add noise."),
				new Circumstance("grouping", grouping(first), grouping(second), "latency may differ for that alone."),
				new Circumstance("commit", commit(one), commit(other), CODE),
				new Circumstance("build", builds(one, other), builds(other, one), CODE),
				new Circumstance("library version", libraries(one, other), libraries(other, one), CODE));
	}

	boolean same() {
		return !this.first.isEmpty() && this.first.equals(this.second);
	}

	/**
	 * What differs, and what that means.
	 */
	String sentence() {
		return (this.first.isEmpty() || this.second.isEmpty() ? "Perhaps different " : "Different ") + this.name
				+ "s (A: " + alone(this.first, this.second) + "; B: " + alone(this.second, this.first) + "): "
				+ this.consequence;
	}

	private static String alone(List<String> mine, List<String> other) {
		if (mine.isEmpty()) {
			return "unknown";
		}
		List<String> alone = mine.stream().filter((each) -> !other.contains(each)).toList();
		return alone.isEmpty() ? "nothing else" : String.join(", ", alone.subList(0, Math.min(alone.size(), MOST)))
				+ ((alone.size() > MOST) ? " and " + (alone.size() - MOST) + " more" : "");
	}

	private static List<String> load(RunResults run, List<String> ids) {
		List<Row> rows = Row.of(run).stream().filter((row) -> ids.contains(row.first().id())).toList();
		return Stream
			.concat(Setup.loads(rows).stream(), Stream.of("slices of " + Figures.duration(run.settings().slice()),
					"suite " + run.suite(), "engine " + run.settings().engine()))
			.toList();
	}

	private static List<String> grouping(RunResults run) {
		return List.of(Setup.groups(run.environment()), run.settings().pinned() ? "pinned" : "not pinned");
	}

	private static List<String> commit(Environment environment) {
		return (environment.gitCommit() != null) ? List.of(Setup.shortCommit(environment)) : List.of();
	}

	// One run may have had gateways that the other had not
	private static List<String> builds(Environment mine, Environment other) {
		return mine.jars()
			.entrySet()
			.stream()
			.filter((jar) -> other.jars().containsKey(jar.getKey()))
			.map((jar) -> jar.getKey() + " " + Figures.abbreviated(jar.getValue()))
			.sorted()
			.toList();
	}

	private static List<String> libraries(Environment mine, Environment other) {
		return mine.libraries()
			.entrySet()
			.stream()
			.filter((jar) -> other.libraries().containsKey(jar.getKey()))
			.map(Map.Entry::getValue)
			.flatMap(List::stream)
			.distinct()
			.sorted()
			.toList();
	}

}
