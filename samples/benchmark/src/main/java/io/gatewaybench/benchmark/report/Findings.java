package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.result.Bound;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.suite.Published;
import org.jspecify.annotations.Nullable;

/**
 * What a report says, in words and tables, whatever it is written in.
 *
 * @param results the run
 */
record Findings(RunResults results) {

	private static final Map<String, String> FAILURES = Map.of("unexpected status",
			"an answer whose status was not the one expected", "timeout",
			"no complete answer within the limit of the client; the connection is closed and opened anew",
			"connection error", "the connection was refused, reset, or closed before the answer was complete",
			"wrong body", "the right status, but the body failed a check: too short, or _gateway missing or wrong",
			"aborted", "still unfinished when the measurement was over and had been waited for");

	Table measured() {
		return Table.of(
				"Measured (Latency: service time, from sending to the last byte, of answers that passed every check)",
				List.of("scenario", "ok req/s", "errors", "P50", "P75", "P90", "P99", "max", "SLO P99", "CPU/req",
						"RSS", "verdict"),
				(rows) -> this.results.inSuiteOrder().forEach((scenario) -> {
					LatencySummary latency = scenario.service();
					LatencySummary slo = scenario.slo();
					rows.accept(List.of(name(scenario), Figures.perSecond(scenario.okPerSecond()),
							Figures.count(scenario.counts().failed()), Figures.millis(latency.p50Ms()),
							Figures.millis(latency.p75Ms()), Figures.millis(latency.p90Ms()),
							Figures.millis(latency.p99Ms()), Figures.millis(latency.maxMs()),
							Figures.millis(slo.p99Ms(), this.results.settings().timeout()),
							Figures.micros(scenario.gateway().cpuMicrosPerOk()),
							Figures.bytes(scenario.gateway().residentBytes()),
							scenario.verdict().valid() ? "valid" : "invalid"));
				}));
	}

	Table compared() {
		return Table.of("Beside what is possible and what was published",
				List.of("scenario", "ok req/s", "bound req/s", "backends", "reached", "published", "its errors",
						"P50 / P99", "published P50 / P99", "its 2nd table"),
				(rows) -> this.results.inSuiteOrder().forEach((scenario) -> {
					Bound bound = scenario.bound();
					Published published = scenario.published();
					rows.accept(List.of(name(scenario), Figures.perSecond(scenario.okPerSecond()),
							(bound != null) ? Figures.perSecond(bound.requestsPerSecond()) : Figures.UNKNOWN,
							Figures.millis((bound != null) ? bound.backendMeanMs() : null),
							(bound != null) ? Figures.percent(bound.reached()) : Figures.UNKNOWN,
							(published != null) ? Figures.perSecond(published.requestsPerSecond()) : Figures.UNKNOWN,
							(published != null) ? Figures.percent((double) published.errors() / published.requests())
									: Figures.UNKNOWN,
							Figures.millis(scenario.service().p50Ms()) + " / "
									+ Figures.millis(scenario.service().p99Ms()),
							(published != null) ? quantiles(published.latency()) : Figures.UNKNOWN,
							(published != null) ? quantiles(published.repeatedLatency()) : Figures.UNKNOWN));
				}));
	}

	/**
	 * Medians and extremes over the blocks, empty when there is one block only.
	 */
	Table spread() {
		Map<String, List<ScenarioResult>> byId = this.results.inSuiteOrder()
			.stream()
			.collect(Collectors.groupingBy(ScenarioResult::id, LinkedHashMap::new, Collectors.toList()));
		return Table.of("Over the blocks: lowest, median, highest",
				List.of("scenario", "blocks", "ok req/s", "P99 ms", "CPU µs/req"),
				(rows) -> byId.values()
					.stream()
					.filter((blocks) -> blocks.size() > 1)
					.forEach((blocks) -> rows.accept(List.of(blocks.getFirst().title(), Figures.count(blocks.size()),
							extremes(blocks, ScenarioResult::okPerSecond),
							extremes(blocks, (block) -> orNaN(block.service().p99Ms())),
							extremes(blocks, (block) -> orNaN(block.gateway().cpuMicrosPerOk()))))));
	}

	Table types() {
		return Table.of("By type of request",
				List.of("scenario", "type", "share", "ok", "errors", "P50", "P90", "P99", "max", "backend mean"),
				(rows) -> this.results.inSuiteOrder()
					.forEach((scenario) -> scenario.types()
						.forEach((type) -> rows.accept(List.of(name(scenario), type.name(),
								Figures.percent(type.share()), Figures.count(type.counts().ok()),
								Figures.count(type.counts().failed()), Figures.millis(type.service().p50Ms()),
								Figures.millis(type.service().p90Ms()), Figures.millis(type.service().p99Ms()),
								Figures.millis(type.service().maxMs()), Figures.millis(type.backendMeanMs()))))));
	}

	Table environment() {
		Environment environment = this.results.environment();
		RunResults.Settings settings = this.results.settings();
		return Table.of("Environment", List.of("what", "value"), (rows) -> {
			rows.accept(List.of("CPU", environment.cpu() + ", " + environment.cores() + " cores"));
			rows.accept(List.of("memory", Figures.bytes(environment.memoryBytes())));
			rows.accept(List.of("operating system", environment.os()));
			rows.accept(List.of("Java", environment.java() + " (" + environment.jvm() + ")"));
			rows.accept(List.of("gateway heap", settings.heap()));
			rows.accept(List.of("warm-up, measurement", Figures.duration(settings.warmup()) + ", "
					+ Figures.duration(settings.duration()) + " per scenario"));
			rows.accept(List.of("blocks, seed", settings.repeat() + ", " + settings.seed()));
			rows.accept(List.of("started, finished", this.results.startedAt() + ", "
					+ ((this.results.finishedAt() != null) ? this.results.finishedAt() : "not")));
			rows.accept(List.of("commit", commit(environment)));
			rows.accept(List.of("order of execution",
					this.results.scenarios().stream().map(this::name).collect(Collectors.joining(", "))));
			environment.jars().forEach((jar, hash) -> rows.accept(List.of(jar, "SHA-256 " + hash)));
			rows.accept(List.of("runner", String.join(" ", environment.runnerCommand())));
			rows.accept(List.of("backends", String.join(" ", environment.backendCommand())));
			this.results.inSuiteOrder()
				.stream()
				.filter((scenario) -> scenario.block() == 1)
				.forEach((scenario) -> rows
					.accept(List.of(scenario.title(), String.join(" ", scenario.gateway().command()))));
		});
	}

	/**
	 * What the reader must know about the state of the run, empty when all is as planned.
	 */
	List<String> warnings() {
		List<String> warnings = new ArrayList<>();
		int planned = this.results.planned().size() * this.results.settings().repeat();
		if (this.results.status() != RunResults.Status.COMPLETE) {
			warnings.add(switch (this.results.status()) {
				case INTERRUPTED -> "The run was interrupted";
				case FAILED -> "The run failed (" + this.results.failure() + ")";
				default -> "The run is not over, or was killed";
			} + "; " + this.results.scenarios().size() + " of " + planned + " measurements are in this report.");
		}
		this.results.inSuiteOrder()
			.stream()
			.filter((scenario) -> !scenario.verdict().valid())
			.forEach((scenario) -> warnings
				.add(name(scenario) + " is invalid: " + String.join("; ", scenario.verdict().reasons()) + "."));
		return warnings;
	}

	/**
	 * One sentence per scenario and kind of error.
	 */
	List<String> errors() {
		List<String> errors = new ArrayList<>();
		this.results.inSuiteOrder()
			.forEach((scenario) -> failures(scenario.counts()).forEach((kind, count) -> errors.add(name(scenario) + ": "
					+ Figures.count(count) + " × " + kind + " (" + FAILURES.getOrDefault(kind, kind) + ")")));
		return errors;
	}

	List<String> method() {
		List<String> method = new ArrayList<>();
		method
			.add("Closed loop: every connection sends its next request when the answer to the last one is complete. So "
					+ "the load follows the gateway, and latency is service time: while the gateway stalls, no request is "
					+ "sent, and the stall is counted once per connection instead of once per request that would have come "
					+ "(coordinated omission). The figures fit the published ones, which were measured in the same way; they "
					+ "are no statement about the latency at a given rate.");
		method.add("SLO P99 counts every request without a good answer as slower than the limit of the client.");
		method
			.add("Bound: connections / mean latency of the backends (Little's law), with the latency that the backends "
					+ "achieved in this very scenario, weighted by the mix that was observed. No gateway can exceed it; the "
					+ "missing part is what gateway, network and client add. The published throughput is under the bound "
					+ "of one single connection, so timeouts outside the gateway decided it, and its percentiles "
					+ "count the survivors only.");
		method
			.add("The gateways do to every request and response what the published ones did, by the filters of the starter. "
					+ "One thing differs: the published ones held and parsed every body, ours put the field between the bytes as "
					+ "they pass.");
		method
			.add("CPU/req is user and system time of the gateway process during the measurement, its JIT compiler and "
					+ "garbage collector included, divided by good answers. On a small machine it says more than throughput.");
		method.add(
				"n/a stands where there are too few samples: a percentile p needs 10 / (1 - p) of them, 1,000 for P99.");
		method.add("Client, gateway and backends share one machine and compete for its "
				+ this.results.environment().cores()
				+ " cores; a gateway that leaves less CPU to the others looks slower than it is.");
		method.add((this.results.settings().repeat() > 1)
				? "Every block measures every scenario once, with a fresh gateway, in random order."
				: "Each scenario was measured once, with a fresh gateway, in random order. One measurement says nothing "
						+ "about noise: two rows that differ by a few percent may be equal. Use --repeat to see the spread.");
		return method;
	}

	String name(ScenarioResult scenario) {
		return (this.results.settings().repeat() > 1) ? scenario.title() + " #" + scenario.block() : scenario.title();
	}

	private static Map<String, Long> failures(Counts counts) {
		Map<String, Long> failures = new LinkedHashMap<>();
		failures.put("unexpected status", counts.httpError());
		failures.put("timeout", counts.timeout());
		failures.put("connection error", counts.connectionError());
		failures.put("wrong body", counts.wrongBody());
		failures.put("aborted", counts.aborted());
		failures.values().removeIf((count) -> count == 0);
		return failures;
	}

	private static String quantiles(Published.Quantiles quantiles) {
		return Figures.millis(quantiles.p50()) + " / " + Figures.millis(quantiles.p99());
	}

	private static String commit(Environment environment) {
		if (environment.gitCommit() == null) {
			return Figures.UNKNOWN;
		}
		return environment.gitCommit()
				+ (Boolean.TRUE.equals(environment.gitDirty()) ? ", with uncommitted changes" : "");
	}

	private static double orNaN(@Nullable Double value) {
		return (value != null) ? value : Double.NaN;
	}

	private static String extremes(List<ScenarioResult> blocks, ToDoubleFunction<ScenarioResult> figure) {
		double[] sorted = blocks.stream().mapToDouble(figure).sorted().toArray();
		if (Double.isNaN(sorted[sorted.length - 1])) {
			return Figures.UNKNOWN;
		}
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return Figures.perSecond(sorted[0]) + " – " + Figures.perSecond(median) + " – "
				+ Figures.perSecond(sorted[sorted.length - 1]);
	}

}
