package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * What was measured, one by one.
 *
 * @param results the run
 */
record Measurements(RunResults results) {

	private static final Map<String, String> FAILURES = Map.of("unexpected status",
			"an answer whose status was not the one expected", "timeout",
			"no complete answer within the limit of the client; the connection is closed and opened anew", "refused",
			"the connection was refused, or not open in time", "reset",
			"the connection was reset, or closed before the answer was complete", "wrong body",
			"the right status, but the body failed a check: too short, or _gateway missing or wrong", "aborted",
			"still unfinished when the measurement was over and had been waited for");

	/**
	 * What a measurement is called, with its block where there are several.
	 */
	String name(ScenarioResult scenario) {
		return (this.results.settings().blocks() > 1) ? scenario.title() + " #" + scenario.block() : scenario.title();
	}

	/**
	 * The figures of each row that are not in the overview.
	 */
	Table more() {
		Duration limit = this.results.settings().timeout();
		return new Table("Latency and allocation",
				"Service time is from sending a request to the last byte of its response, response time from its intended "
						+ "start. The SLO view counts each request without a successful response as slower than the limit of the client.",
				List.of("row", "service mean", "service P50", "service P99", "response P50", "SLO P99",
						"allocated per request"),
				Row.of(this.results)
					.stream()
					.map((row) -> List.of(Cell.of(row.title()), row.cell(Metric.SERVICE_MEAN),
							row.cell(Metric.SERVICE_P50), row.cell(Metric.SERVICE_P99), row.cell(Metric.RESPONSE_P50),
							row.cell(Metric.SLO_P99, (value) -> Figures.millis(value, limit)),
							row.cell(Metric.ALLOCATION)))
					.toList());
	}

	Table all() {
		return Table.of("Every measurement",
				"Latency is service time of the answers that passed every check. Invalid ones were disturbed; see what was excluded.",
				List.of("measurement", "throughput", "errors", "P50", "P75", "P90", "P99", "max", "SLO P99",
						"CPU per request", "memory", "verdict"),
				(rows) -> this.results.inSuiteOrder().forEach((scenario) -> {
					LatencySummary latency = scenario.latency().service();
					rows.accept(List.of(name(scenario), Figures.perSecond(scenario.okPerSecond()) + "/s",
							Figures.count(scenario.counts().failed()), Figures.millis(latency.p50Ms()),
							Figures.millis(latency.p75Ms()), Figures.millis(latency.p90Ms()),
							Figures.millis(latency.p99Ms()), Figures.millis(latency.maxMs()),
							Figures.millis(scenario.latency().slo().p99Ms(), this.results.settings().timeout()),
							Figures.micros(Metric.CPU.of(scenario)),
							Figures.bytes((scenario.gateway() != null) ? scenario.gateway().residentBytes() : null),
							(scenario.verdict().valid() ? "valid" : "invalid")
									+ (scenario.verdict().failures().isEmpty() ? "" : ", failed")));
				}));
	}

	Table types() {
		return Table
			.of("By type of request", "Latency is service time.",
					List.of("measurement", "type", "share", "ok", "errors", "P50", "P90", "P99", "max", "backend mean"),
					(rows) -> this.results.inSuiteOrder()
						.forEach((scenario) -> scenario.types()
							.forEach((type) -> rows.accept(List.of(
									name(scenario) + (scenario.verdict().valid() ? "" : ", invalid"), type.name(),
									Figures.percent(type.share()), Figures.count(type.counts().ok()),
									Figures.count(type.counts().failed()), Figures.millis(type.service().p50Ms()),
									Figures.millis(type.service().p90Ms()), Figures.millis(type.service().p99Ms()),
									Figures.millis(type.service().maxMs()), Figures.millis(type.backendMeanMs()))))));
	}

	/**
	 * What each load host did, where there are several.
	 */
	Table agents() {
		return Table.of("Load hosts",
				"What each agent sent, and the service time that it measured. Clock is how far its clock differs from that of the runner at least.",
				List.of("measurement", "agent", "sent", "ok", "P50", "P90", "P99", "max", "clock"),
				(rows) -> this.results.inSuiteOrder()
					.stream()
					.filter((scenario) -> scenario.generator().agents().size() > 1)
					.forEach((scenario) -> scenario.generator()
						.agents()
						.forEach((agent) -> rows
							.accept(List.of(name(scenario), agent.agent(), Figures.count(agent.sent()),
									Figures.count(agent.ok()), Figures.millis(agent.service().p50Ms()),
									Figures.millis(agent.service().p90Ms()), Figures.millis(agent.service().p99Ms()),
									Figures.millis(agent.service().maxMs()), agent.clockMs() + " ms")))));
	}

	/**
	 * How the gateways became warm.
	 */
	Table warmups() {
		return Table.of("Warm-up",
				"CPU time per successful response in each cycle of load before the measurements, in µs, and what garbage "
						+ "collection took of it where none was forced. Steady: it did not change any more, and the JIT compilers were idle.",
				List.of("variant", "block", "cycles", "GC", "steady"),
				(rows) -> this.results.warmups()
					.forEach((curve) -> rows.accept(List.of(curve.variant(), Figures.count(curve.block()),
							curve.cycles()
								.stream()
								.map((cycle) -> (cycle.cpuMicrosPerOk() != null)
										? Figures.significant(cycle.cpuMicrosPerOk()) : Figures.UNKNOWN)
								.collect(Collectors.joining(" → ")),
							(curve.gcMicrosPerOk() != null) ? Figures.significant(curve.gcMicrosPerOk())
									: Figures.UNKNOWN,
							(curve.steady() == null) ? Figures.UNKNOWN : curve.steady() ? "yes" : "no"))));
	}

	/**
	 * One sentence per measurement and kind of error, or that there was none.
	 */
	Section.Sentences errors() {
		List<String> errors = new ArrayList<>();
		this.results.inSuiteOrder()
			.forEach((scenario) -> failures(scenario.counts()).forEach((kind, count) -> errors.add(name(scenario) + ": "
					+ Figures.count(count) + " × " + kind + " (" + FAILURES.getOrDefault(kind, kind) + ")")));
		if (errors.isEmpty() && !this.results.scenarios().isEmpty()) {
			errors.add("None: every answer passed every check.");
		}
		return new Section.Sentences("Errors", errors);
	}

	private static Map<String, Long> failures(Counts counts) {
		Map<String, Long> failures = new LinkedHashMap<>();
		failures.put("unexpected status", counts.httpError());
		failures.put("timeout", counts.timeout());
		failures.put("refused", counts.refused());
		failures.put("reset", counts.reset());
		failures.put("wrong body", counts.wrongBody());
		failures.put("aborted", counts.aborted());
		failures.values().removeIf((count) -> count == 0);
		return failures;
	}

	/**
	 * What counts less than it was measured, and why.
	 */
	Table excluded() {
		return Table.of("Excluded",
				this.results.repeated().isEmpty() ? "" : "Measured twice, as something disturbed the first one: "
						+ this.results.repeated().stream().map(this::name).distinct().collect(Collectors.joining(", "))
						+ ". Of two, the one of which more figures can be used counts.",
				List.of("measurement", "why", "what counts all the same"), (rows) -> {
					this.results.inSuiteOrder()
						.stream()
						.filter((scenario) -> !scenario.verdict().valid())
						.forEach((scenario) -> rows.accept(List.of(name(scenario), reasons(scenario),
								scenario.verdict().sound().isEmpty() ? "nothing"
										: scenario.verdict()
											.sound()
											.stream()
											.map(Metric::title)
											.collect(Collectors.joining(", ")))));
					this.results.repeated()
						.forEach((scenario) -> rows.accept(List.of(name(scenario) + ", the other of two",
								scenario.verdict().valid() ? "the other one was as good" : reasons(scenario),
								"nothing")));
				});
	}

	private static String reasons(ScenarioResult scenario) {
		return String.join("; ", scenario.verdict().reasons());
	}

}
