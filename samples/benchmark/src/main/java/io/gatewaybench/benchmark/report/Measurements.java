package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;

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
	 * What a measurement is called, with its start where there are several.
	 */
	String name(ScenarioResult scenario) {
		return (this.results.starts() > 1) ? scenario.title() + " #" + scenario.start() : scenario.title();
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
		return Table
			.of("Every measurement", "Latency is service time of the responses that passed every check.",
					List.of("measurement", "slices", "throughput", "errors", "P50", "P75", "P90", "P99", "max",
							"SLO P99", "CPU per request", "heap", "memory"),
					(rows) -> this.results.scenarios().forEach((scenario) -> {
						LatencySummary latency = scenario.latency().service();
						rows.accept(List.of(name(scenario), Figures.count(scenario.slices()),
								Figures.perSecond(scenario.okPerSecond()) + "/s",
								Figures.count(scenario.counts().failed()), Figures.millis(latency.p50Ms()),
								Figures.millis(latency.p75Ms()), Figures.millis(latency.p90Ms()),
								Figures.millis(latency.p99Ms()), Figures.millis(latency.maxMs()),
								Figures.millis(scenario.latency().slo().p99Ms(), this.results.settings().timeout()),
								Figures.micros(Metric.CPU.of(scenario)),
								Figures.bytes((scenario.gateway() != null) ? scenario.gateway().liveHeapBytes() : null),
								Figures
									.bytes((scenario.gateway() != null) ? scenario.gateway().residentBytes() : null)));
					}));
	}

	Table types() {
		return Table.of("By type of request", "Latency is service time.",
				List.of("measurement", "type", "share", "ok", "errors", "P50", "P90", "P99", "max", "backend mean"),
				(rows) -> this.results.scenarios()
					.forEach((scenario) -> scenario.types()
						.forEach((type) -> rows.accept(List.of(name(scenario), type.name(),
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
				(rows) -> this.results.scenarios()
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
				"The part of the CPU time that the JIT compilers had, in each cycle of a light load, and at the end in slices that do not count.",
				List.of("gateway", "start", "CPU time", "compilers", "warm"),
				(rows) -> this.results.warmups()
					.forEach((curve) -> rows.accept(List.of(curve.variant(), Figures.count(curve.start()),
							Figures.significant(
									curve.cycles().stream().mapToDouble(WarmupCurve.Cycle::cpuSeconds).sum()) + " s",
							curve.cycles()
								.stream()
								.map((cycle) -> Figures.percent(cycle.jit()))
								.collect(Collectors.joining(" → ")),
							(curve.steady() == null) ? Figures.UNKNOWN : curve.steady() ? "yes" : "no"))));
	}

	/**
	 * One sentence per measurement and kind of error, or that there was none.
	 */
	Section.Sentences errors() {
		List<String> errors = new ArrayList<>();
		this.results.scenarios()
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
	 * What a reader has to know of single figures.
	 */
	Section.Sentences remarks() {
		List<String> remarks = new ArrayList<>();
		this.results.scenarios()
			.forEach((scenario) -> scenario.remarks().forEach((remark) -> remarks.add(name(scenario) + ": " + remark)));
		this.results.voids().forEach((reason) -> remarks.add("Played again: " + reason));
		return new Section.Sentences("Remarks", remarks);
	}

}
