package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;

/**
 * What was measured, one by one.
 *
 * @param results the run
 */
record Measurements(RunResults results) {

	private static final List<Metric> COMPARED = List.of(Metric.CPU, Metric.ALLOCATION, Metric.HEAP, Metric.THROUGHPUT,
			Metric.SERVICE_P50, Metric.SERVICE_P99, Metric.OVERHEAD_P50, Metric.OVERHEAD_P99);

	private static final List<Failure> FAILURES = List.of(
			new Failure("unexpected status", "an answer whose status was not the one expected", Counts::httpError),
			new Failure("timeout",
					"no complete answer within the limit of the client; the connection is closed and opened anew",
					Counts::timeout),
			new Failure("refused", "the connection was refused, or not open in time", Counts::refused),
			new Failure("reset", "the connection was reset, or closed before the answer was complete", Counts::reset),
			new Failure("wrong body",
					"the right status, but the body failed a check: too short, or _gateway missing or wrong",
					Counts::wrongBody),
			new Failure("aborted", "still unfinished when the measurement was over and had been waited for",
					Counts::aborted));

	/**
	 * A way in which requests fail.
	 */
	private record Failure(String kind, String meaning, ToLongFunction<Counts> count) {
	}

	/**
	 * What a measurement is called, with its start where there are several.
	 */
	String name(ScenarioResult scenario) {
		return (this.results.starts() > 1) ? scenario.title() + " #" + scenario.start() : scenario.title();
	}

	/**
	 * Every row beside its baseline.
	 */
	Table ratios() {
		List<String> head = new ArrayList<>(List.of("row", "compared with"));
		COMPARED.forEach((metric) -> head.add(metric.title()));
		List<List<String>> rows = new ArrayList<>();
		for (Row row : Row.of(this.results)) {
			List<Optional<Comparison>> comparisons = COMPARED.stream().map(row::comparison).toList();
			comparisons.stream().flatMap(Optional::stream).findFirst().ifPresent((any) -> {
				List<String> cells = new ArrayList<>(List.of(row.title(), any.baseline()));
				comparisons.forEach((each) -> cells
					.add(each.map((comparison) -> Figures.ratio(comparison.ratio())).orElse(Figures.UNKNOWN)));
				rows.add(cells);
			});
		}
		return new Table("Ratios",
				"A row divided by what it is compared with, with the 95 % confidence interval. Only the intervals of the main "
						+ "question are right together; of twenty others, one may leave out the truth.",
				head, rows);
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
					.map((row) -> List.of(row.title(), row.text(Metric.SERVICE_MEAN), row.text(Metric.SERVICE_P50),
							row.text(Metric.SERVICE_P99), row.text(Metric.RESPONSE_P50),
							Figures.millis(row.estimate(Metric.SLO_P99).map(Estimate::value).orElse(null), limit),
							row.text(Metric.ALLOCATION)))
					.toList());
	}

	Table all() {
		return new Table("Every measurement", "Latency is service time of the responses that passed every check.",
				List.of("measurement", "slices", "throughput", "errors", "P50", "P75", "P90", "P99", "max", "SLO P99",
						"CPU per request", "heap", "memory"),
				this.results.scenarios().stream().map(this::row).toList());
	}

	private List<String> row(ScenarioResult scenario) {
		LatencySummary latency = scenario.latency().service();
		GatewayFigures gateway = scenario.gateway();
		return List.of(name(scenario), Figures.count(scenario.slices()),
				Figures.perSecond(scenario.okPerSecond()) + "/s", Figures.count(scenario.counts().failed()),
				Figures.millis(latency.p50Ms()), Figures.millis(latency.p75Ms()), Figures.millis(latency.p90Ms()),
				Figures.millis(latency.p99Ms()), Figures.millis(latency.maxMs()),
				Figures.millis(scenario.latency().slo().p99Ms(), this.results.settings().timeout()),
				Figures.micros(Metric.CPU.of(scenario)),
				Figures.bytes((gateway != null) ? gateway.liveHeapBytes() : null),
				Figures.bytes((gateway != null) ? gateway.residentBytes() : null));
	}

	Table types() {
		return new Table("By type of request", "Latency is service time.",
				List.of("measurement", "type", "share", "ok", "errors", "P50", "P90", "P99", "max", "backend mean"),
				this.results.scenarios()
					.stream()
					.flatMap((scenario) -> scenario.types()
						.stream()
						.map((type) -> List.of(name(scenario), type.name(), Figures.percent(type.share()),
								Figures.count(type.counts().ok()), Figures.count(type.counts().failed()),
								Figures.millis(type.service().p50Ms()), Figures.millis(type.service().p90Ms()),
								Figures.millis(type.service().p99Ms()), Figures.millis(type.service().maxMs()),
								Figures.millis(type.backendMeanMs()))))
					.toList());
	}

	/**
	 * What each load host did, where there are several.
	 */
	Table agents() {
		List<List<String>> rows = new ArrayList<>();
		this.results.scenarios()
			.stream()
			.filter((scenario) -> scenario.generator().agents().size() > 1)
			.forEach((scenario) -> scenario.generator()
				.agents()
				.forEach((agent) -> rows.add(List.of(name(scenario), agent.agent(), Figures.count(agent.sent()),
						Figures.count(agent.ok()), Figures.millis(agent.service().p50Ms()),
						Figures.millis(agent.service().p90Ms()), Figures.millis(agent.service().p99Ms()),
						Figures.millis(agent.service().maxMs()), agent.clockMs() + " ms"))));
		return new Table("Load hosts",
				"What each agent sent, and the service time that it measured. Clock is how far its clock differs from that of the runner at least.",
				List.of("measurement", "agent", "sent", "ok", "P50", "P90", "P99", "max", "clock"), rows);
	}

	/**
	 * One sentence per measurement and kind of error, or that there was none.
	 */
	Table errors() {
		List<String> errors = new ArrayList<>();
		for (ScenarioResult scenario : this.results.scenarios()) {
			for (Failure failure : FAILURES) {
				long count = failure.count().applyAsLong(scenario.counts());
				if (count > 0) {
					errors.add("%s: %s × %s (%s)".formatted(name(scenario), Figures.count(count), failure.kind(),
							failure.meaning()));
				}
			}
		}
		if (errors.isEmpty() && !this.results.scenarios().isEmpty()) {
			errors.add("None: every answer passed every check.");
		}
		return Table.ofSentences("Errors", errors);
	}

	/**
	 * What a reader has to know of single figures.
	 */
	Table remarks() {
		List<String> remarks = new ArrayList<>();
		this.results.scenarios()
			.forEach((scenario) -> scenario.remarks().forEach((remark) -> remarks.add(name(scenario) + ": " + remark)));
		this.results.voids().forEach((reason) -> remarks.add("Played again: " + reason));
		return Table.ofSentences("Remarks", remarks);
	}

}
