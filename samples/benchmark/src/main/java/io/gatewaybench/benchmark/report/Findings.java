package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.PairedComparison;
import io.gatewaybench.benchmark.suite.Design;
import org.jspecify.annotations.Nullable;

/**
 * What a report says, in words and tables, whatever it is written in.
 *
 * @param results the run
 */
record Findings(RunResults results) {

	private static final Map<String, String> FAILURES = Map.of("unexpected status",
			"an answer whose status was not the one expected", "timeout",
			"no complete answer within the limit of the client; the connection is closed and opened anew", "refused",
			"the connection was refused, or not open in time", "reset",
			"the connection was reset, or closed before the answer was complete", "wrong body",
			"the right status, but the body failed a check: too short, or _gateway missing or wrong", "aborted",
			"still unfinished when the measurement was over and had been waited for");

	Table measured() {
		return Table.of(
				"Measured (Latency: service time, from sending to the last byte, of answers that passed every check)",
				List.of("scenario", "ok req/s", "errors", "P50", "P75", "P90", "P99", "max", "SLO P99", "CPU/req",
						"RSS", "verdict"),
				(rows) -> this.results.inSuiteOrder().forEach((scenario) -> {
					LatencySummary latency = scenario.latency().service();
					LatencySummary slo = scenario.latency().slo();
					rows.accept(List.of(name(scenario), Figures.perSecond(scenario.okPerSecond()),
							Figures.count(scenario.counts().failed()), Figures.millis(latency.p50Ms()),
							Figures.millis(latency.p75Ms()), Figures.millis(latency.p90Ms()),
							Figures.millis(latency.p99Ms()), Figures.millis(latency.maxMs()),
							Figures.millis(slo.p99Ms(), this.results.settings().timeout()),
							Figures.micros(Metric.CPU.of(scenario)), residentBytes(scenario),
							(scenario.verdict().valid() ? "valid" : "invalid")
									+ (scenario.verdict().failures().isEmpty() ? "" : ", failed")));
				}));
	}

	/**
	 * Every row over its blocks.
	 */
	Table summary() {
		return Table.of(
				"Result (Geometric mean over the valid blocks and, in brackets, its 95 % confidence interval. Latency is service time unless it says SLO. ! means disturbed in every block: no basis for a comparison)",
				List.of("scenario", "blocks", "ok req/s", "CPU/req", "P50", "P99", "overhead P50", "overhead P99",
						"SLO P99", "allocated/req", "RSS"),
				(rows) -> byScenario().forEach((title, blocks) -> {
					ScenarioResult first = blocks.getFirst();
					long valid = blocks.stream().filter((block) -> block.verdict().valid()).count();
					rows.accept(List.of(title, valid + " of " + blocks.size(),
							mean(first, Metric.THROUGHPUT, Figures::perSecond),
							mean(first, Metric.CPU, Figures::micros), mean(first, Metric.SERVICE_P50, Figures::millis),
							mean(first, Metric.SERVICE_P99, Figures::millis),
							mean(first, Metric.OVERHEAD_P50, Figures::millis),
							mean(first, Metric.OVERHEAD_P99, Figures::millis),
							mean(first, Metric.SLO_P99,
									(value) -> Figures.millis(value, this.results.settings().timeout())),
							mean(first, Metric.ALLOCATION, Figures::kibibytes), residentBytes(blocks.getLast())));
				}));
	}

	/**
	 * Every variant as a multiple of the first one under the same load.
	 */
	Table ratios() {
		List<Metric> metrics = List.of(Metric.CPU, Metric.ALLOCATION, Metric.THROUGHPUT, Metric.SERVICE_P50,
				Metric.SERVICE_P99, Metric.OVERHEAD_P50, Metric.OVERHEAD_P99);
		List<String> head = new ArrayList<>(List.of("variant", "load", "beside"));
		metrics.forEach((metric) -> head.add(metric.title()));
		return Table.of(
				"Compared (Ratios within each block, their geometric mean and 95 % confidence interval. = means equivalent: the whole interval is within 3 % of 1. ? means inconclusive: more blocks could tell. Without a mark it is a difference, also after Holm's correction for the number of comparisons by this metric)",
				head, (rows) -> rows().forEach((key) -> {
					List<String> cells = new ArrayList<>(List.of(key.variant(), key.load(), key.baseline()));
					metrics.forEach((metric) -> cells.add(ratio(key, metric)));
					rows.accept(cells);
				}));
	}

	private List<Beside> rows() {
		return this.results.analysis()
			.comparisons()
			.stream()
			.map((comparison) -> new Beside(comparison.variant(), comparison.load(), comparison.baseline()))
			.distinct()
			.toList();
	}

	private String ratio(Beside key, Metric metric) {
		Comparison comparison = comparison(key, metric).orElse(null);
		if (comparison == null || comparison.result().ratio() == null) {
			return Figures.UNKNOWN;
		}
		return Figures.interval(comparison.result().ratio(), Figures::significant)
				+ switch (comparison.result().effect()) {
					case EQUIVALENT -> " =";
					case INCONCLUSIVE, UNKNOWN -> " ?";
					case LESS, MORE -> "";
				};
	}

	private Optional<Comparison> comparison(Beside key, Metric metric) {
		return this.results.analysis()
			.comparisons()
			.stream()
			.filter((each) -> each.metric() == metric && each.variant().equals(key.variant())
					&& each.load().equals(key.load()) && each.baseline().equals(key.baseline()))
			.findFirst();
	}

	private String mean(ScenarioResult scenario, Metric metric, DoubleFunction<String> unit) {
		return estimate(scenario, metric)
			.map((estimate) -> Figures.interval(estimate.interval(), unit) + (estimate.disturbed() ? " !" : ""))
			.orElse(Figures.UNKNOWN);
	}

	Optional<Estimate> estimate(ScenarioResult scenario, Metric metric) {
		return this.results.analysis()
			.estimates()
			.stream()
			.filter((each) -> each.metric() == metric && each.variant().equals(scenario.variant())
					&& each.load().equals(scenario.load().id()))
			.findFirst();
	}

	/**
	 * The measurements by the title of their row, in the order of the suite.
	 */
	Map<String, List<ScenarioResult>> byScenario() {
		return this.results.inSuiteOrder()
			.stream()
			.collect(Collectors.groupingBy(ScenarioResult::title, LinkedHashMap::new, Collectors.toList()));
	}

	private record Beside(String variant, String load, String baseline) {
	}

	/**
	 * What every reader has to see.
	 */
	List<Section> headline() {
		return List.of(summary(), new Section.Sentences("", List.of(method().certainty())), ratios(), compared());
	}

	/**
	 * What a reader looks up.
	 */
	List<Section> details() {
		return List.of(cost(), others(), warmups(), measured(),
				new Section.Sentences("Errors", errors().isEmpty() ? List.of("None: " + noErrors()) : errors()),
				types(), new Section.Sentences("How to read this", method().sentences()), environment());
	}

	/**
	 * Where published figures come from, after a space; nothing if there are none.
	 */
	String published() {
		return (this.results.study() != null) ? " Published figures: " + this.results.study().source() + "." : "";
	}

	/**
	 * Each published figure beside ours, where there is one of ours, and what limits it.
	 */
	Table compared() {
		List<String> names = (this.results.study() == null) ? List.of()
				: this.results.study()
					.figures()
					.values()
					.stream()
					.flatMap((figures) -> figures.keySet().stream())
					.distinct()
					.toList();
		List<String> headings = new ArrayList<>(List.of("scenario", "theoretical maximum", "backends", "reached"));
		names.forEach((name) -> headings.add(Metric.named(name)
			.map((metric) -> metric.title() + ", " + metric.unit() + ": ours / published")
			.orElse(name + ": published")));
		return Table.of("Beside what is possible and what was published (first valid block)", headings,
				(rows) -> byScenario().forEach((title, blocks) -> {
					ScenarioResult scenario = blocks.stream()
						.filter((block) -> block.verdict().valid())
						.findFirst()
						.orElse(blocks.getFirst());
					Map<String, Double> published = this.results.published(scenario.id());
					if (published.isEmpty()) {
						return;
					}
					TheoreticalMaximum maximum = scenario.theoreticalMaximum();
					List<String> row = new ArrayList<>(
							List.of(scenario.verdict().valid() ? title : title + ", disturbed",
									(maximum != null) ? Figures.perSecond(maximum.requestsPerSecond())
											: Figures.UNKNOWN,
									Figures.millis((maximum != null) ? maximum.backendMeanMs() : null),
									(maximum != null) ? Figures.percent(maximum.reached()) : Figures.UNKNOWN));
					names.forEach((name) -> row.add(beside(scenario, name, published.get(name))));
					rows.accept(row);
				}));
	}

	private static String beside(ScenarioResult scenario, String name, @Nullable Double published) {
		String theirs = figure(published);
		return Metric.named(name).map((metric) -> figure(metric.of(scenario)) + " / " + theirs).orElse(theirs);
	}

	private static String figure(@Nullable Double value) {
		return (value != null) ? Figures.significant(value) : Figures.UNKNOWN;
	}

	/**
	 * Where the CPU time of the gateways went.
	 */
	Table cost() {
		return Table.of("Where the CPU time of a request goes (µs per successful response, first valid block)",
				List.of("scenario", "event loop", "Tomcat", "carriers", "client", "GC", "JIT", "other", "ended", "user",
						"system", "run-queue wait", "switches/req", "GC pauses", "threads", "sockets"),
				(rows) -> byScenario().values()
					.stream()
					.flatMap((blocks) -> blocks.stream().filter((block) -> block.verdict().valid()).limit(1))
					.forEach((scenario) -> {
						ProcessUse use = scenario.resources().gateway();
						if (use != null) {
							rows.accept(cost(scenario, use));
						}
					}));
	}

	private static List<String> cost(ScenarioResult scenario, ProcessUse use) {
		double perOk = 1e6 / Math.max(1, scenario.counts().ok());
		JvmUse jvm = scenario.resources().jvm();
		List<String> cells = new ArrayList<>(List.of(scenario.title()));
		for (ThreadGroup group : ThreadGroup.values()) {
			cells.add(Figures.significant(use.cpuSeconds(group) * perOk));
		}
		cells.add(Figures.significant(use.userSeconds() * perOk));
		cells.add(Figures.significant(use.systemSeconds() * perOk));
		cells.add(Figures.significant(use.waitSeconds() * perOk));
		cells.add(Figures.significant((use.switches() + use.preemptions()) * perOk / 1e6));
		cells.add((jvm != null) ? jvm.collections() + ", " + jvm.collectionMillis() + " ms" : Figures.UNKNOWN);
		cells.add(Figures.count(use.threads()));
		cells.add(Figures.count(use.sockets()));
		return cells;
	}

	/**
	 * What those used who should not be seen in a measurement.
	 */
	Table others() {
		return Table.of(
				"What everybody else used (per successful response, and as a part of all cores' time; first valid block)",
				List.of("scenario", "generator", "backends", "runner", "interrupts and programs", "CPU steal",
						"other programs", "CPU pressure (PSI)"),
				(rows) -> byScenario().values()
					.stream()
					.flatMap((blocks) -> blocks.stream().filter((block) -> block.verdict().valid()).limit(1))
					.forEach((scenario) -> {
						MachineUse machine = scenario.resources().machine();
						if (machine != null) {
							rows.accept(others(scenario, machine));
						}
					}));
	}

	private List<String> others(ScenarioResult scenario, MachineUse machine) {
		Resources resources = scenario.resources();
		long ok = Math.max(1, scenario.counts().ok());
		double coreSeconds = machine.seconds() * this.results.environment().cores();
		return List.of(scenario.title(), Figures.micros(micros(resources.generator(), ok)),
				Figures.micros(micros(resources.backends(), ok)),
				(resources.runner() != null) ? Figures.percent(resources.runner().cpuSeconds() / coreSeconds)
						: Figures.UNKNOWN,
				Figures.percent(machine.busy()), Figures.percent(machine.steal()), Figures.percent(machine.foreign()),
				Figures.percent(machine.pressure()));
	}

	private static @Nullable Double micros(@Nullable ProcessUse use, long ok) {
		return (use != null) ? (Double) (use.cpuSeconds() * 1e6 / ok) : null;
	}

	/**
	 * How the gateways became warm.
	 */
	Table warmups() {
		return Table.of("Warm-up (CPU time per successful response in every cycle of load, in µs)",
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

	Table types() {
		return Table
			.of("By type of request",
					List.of("scenario", "type", "share", "ok", "errors", "P50", "P90", "P99", "max", "backend mean"),
					(rows) -> this.results.inSuiteOrder()
						.forEach((scenario) -> scenario.types()
							.forEach((type) -> rows.accept(List.of(
									name(scenario) + (scenario.verdict().valid() ? "" : ", invalid"), type.name(),
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
			rows.accept(List.of("warm-up",
					"at most " + settings.warmup().cycles() + " cycles of " + Figures.duration(settings.warmup().load())
							+ " and a rest of " + Figures.duration(settings.warmup().rest())));
			rows.accept(List.of("measurement",
					Figures.duration(settings.duration()) + " per scenario and block" + (method().hasIterations()
							? "; with iterations until every user has sent all its requests" : "")));
			rows.accept(List.of("engine", settings.engine() + (settings.pinned() ? ", pinned" : "") + ", "
					+ groups(environment) + ", " + settings.design().name().toLowerCase(Locale.ROOT)));
			this.results.capacity()
				.entrySet()
				.stream()
				.limit(1)
				.forEach((entry) -> rows.accept(List.of("generator and backends alone",
						Figures.perSecond(entry.getValue()) + " requests per second without delay")));
			rows.accept(List.of("blocks, seed", settings.blocks() + ", " + settings.seed()));
			rows.accept(List.of("started, finished", this.results.startedAt() + ", "
					+ ((this.results.finishedAt() != null) ? this.results.finishedAt() : "not")));
			rows.accept(List.of("commit", commit(environment)));
			rows.accept(List.of("order of execution",
					this.results.scenarios().stream().map(this::name).collect(Collectors.joining(", "))));
			environment.machine().forEach((name, value) -> rows.accept(List.of(name, value)));
			environment.libraries()
				.forEach((jar, libraries) -> rows.accept(List.of("in " + jar, String.join(", ", libraries))));
			environment.jars().forEach((jar, hash) -> rows.accept(List.of(jar, "SHA-256 " + hash)));
			rows.accept(List.of("runner", String.join(" ", environment.runnerCommand())));
			rows.accept(List.of("backends", String.join(" ", environment.backendCommand())));
			this.results.inSuiteOrder().stream().filter((scenario) -> scenario.block() == 1).forEach((scenario) -> {
				if (scenario.gateway() != null) {
					rows.accept(List.of(scenario.title(), String.join(" ", scenario.gateway().command())));
					rows.accept(List.of("its JVM flags, cores",
							Objects.requireNonNullElse(scenario.gateway().flags(), Figures.UNKNOWN) + "; "
									+ scenario.gateway().affinity()));
				}
			});
		});
	}

	Method method() {
		return new Method(this.results);
	}

	/**
	 * What the reader must know about the state of the run, empty when all is as planned.
	 */
	List<String> warnings() {
		List<String> warnings = new ArrayList<>();
		int inBlock = (this.results.settings().design() == Design.DUETS) ? 2 : this.results.planned().size();
		int planned = inBlock * this.results.settings().blocks();
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
		this.results.inSuiteOrder()
			.stream()
			.filter((scenario) -> !scenario.verdict().failures().isEmpty())
			.forEach((scenario) -> warnings
				.add(name(scenario) + " failed: " + String.join("; ", scenario.verdict().failures()) + "."));
		if (!this.results.repeated().isEmpty()) {
			warnings.add("Measured twice, as something disturbed the first one: "
					+ this.results.repeated().stream().map(this::name).distinct().collect(Collectors.joining(", "))
					+ ". results.json has those that do not count, too, and what speaks against them.");
		}
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

	/**
	 * What to say without any error.
	 */
	String noErrors() {
		return this.results.settings().engine().equals("wrk")
				? "every answer had a good status, which is all that wrk checks." : "every answer passed every check.";
	}

	String name(ScenarioResult scenario) {
		return (this.results.settings().blocks() > 1) ? scenario.title() + " #" + scenario.block() : scenario.title();
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

	private static String groups(Environment environment) {
		return switch (environment.groupedBy()) {
			case CGROUPS_V1 -> "cgroups (v1) of their own";
			case CGROUPS_V2 -> "cgroups (v2) of their own";
			case SESSIONS -> "sessions of their own";
			case NOTHING -> "one session";
		};
	}

	static String commit(Environment environment) {
		if (environment.gitCommit() == null) {
			return Figures.UNKNOWN;
		}
		return environment.gitCommit()
				+ (Boolean.TRUE.equals(environment.gitDirty()) ? ", with uncommitted changes" : "");
	}

	private static String residentBytes(ScenarioResult scenario) {
		return Figures.bytes((scenario.gateway() != null) ? scenario.gateway().residentBytes() : null);
	}

}
