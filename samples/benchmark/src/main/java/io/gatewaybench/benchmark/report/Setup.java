package io.gatewaybench.benchmark.report;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;

/**
 * On what was measured, and with which settings.
 *
 * @param results the run
 * @param directory the files of the run
 */
record Setup(RunResults results, Path directory) {

	/**
	 * A suite may have hundreds of routes, each with several settings.
	 */
	private static final int MOST_ROWS = 120;

	/**
	 * Versions, machine and load in one line.
	 */
	String context() {
		Environment environment = this.results.environment();
		RunResults.Settings settings = this.results.settings();
		List<String> libraries = environment.libraries().values().stream().flatMap(List::stream).toList();
		String gateway = Stream.of("spring-cloud-gateway-server-webflux", "spring-cloud-gateway-server-webmvc")
			.flatMap((name) -> version(libraries, name).stream())
			.findFirst()
			.map((version) -> "Spring Cloud Gateway " + version + ", ")
			.orElse("");
		String boot = version(libraries, "spring-boot").map((version) -> "Spring Boot " + version + ", ").orElse("");
		return gateway + boot + "Java " + environment.java() + ", heap " + settings.heap() + "; " + environment.cpu()
				+ ", " + environment.cores() + " cores, " + Figures.bytes(environment.memoryBytes()) + ", "
				+ environment.os() + "; load: "
				+ Row.of(this.results)
					.stream()
					.map((row) -> load(row.first()))
					.distinct()
					.collect(Collectors.joining("; "))
				+ ", " + ((this.results.starts() == 1) ? "one start" : this.results.starts() + " starts") + ".";
	}

	private static Optional<String> version(List<String> libraries, String name) {
		return libraries.stream()
			.filter((library) -> library.matches(Pattern.quote(name) + "-\\d.*"))
			.map((library) -> library.substring(name.length() + 1))
			.findFirst();
	}

	private static String load(ScenarioResult scenario) {
		LoadFigures load = scenario.load();
		if (!load.openModel()) {
			return "closed model, " + Figures.count(load.connections()) + " users"
					+ ((load.thinkMs() != null) ? " with a pause of "
							+ Figures.duration(Duration.ofMillis(load.thinkMs())) + " after each response" : "")
					+ ((load.iterations() != null) ? " with " + load.iterations() + " requests each" : "");
		}
		// What was found is a result, and no part of the load
		if (load.p99LimitMs() != null) {
			return "open model, the highest rate with a P99 of the response time of " + load.p99LimitMs()
					+ " ms at most";
		}
		return "open model, " + ((load.rate() != null) ? Figures.significant(load.rate()) + " requests/s" : load.id())
				+ (load.hasSteps() ? ", at times "
						+ Figures.count(scenario.series().stream().mapToLong(SecondSample::offered).max().orElse(0))
						: "");
	}

	/**
	 * The settings in which variants differ.
	 */
	Table differences() {
		Map<String, Map<String, String>> variants = new LinkedHashMap<>();
		EffectiveSettings settings = new EffectiveSettings(this.results.environment(), this.directory);
		for (ScenarioResult scenario : this.results.scenarios()) {
			if (scenario.gateway() != null) {
				variants.putIfAbsent(scenario.variant(), settings.of(scenario.gateway()));
			}
		}
		List<List<String>> rows = new ArrayList<>();
		for (String name : new TreeSet<>(variants.values().stream().flatMap((all) -> all.keySet().stream()).toList())) {
			List<String> cells = new ArrayList<>(List.of(name));
			variants.values().forEach((all) -> cells.add(all.getOrDefault(name, "–")));
			if (cells.stream().skip(1).distinct().count() > 1) {
				rows.add(cells);
			}
		}
		String more = (rows.size() > MOST_ROWS)
				? " " + (rows.size() - MOST_ROWS) + " more are in the configuration files." : "";
		List<String> head = new ArrayList<>(List.of("setting"));
		head.addAll(variants.keySet());
		return new Table("Differences between the variants",
				"Effective settings: those of the jar and what the suite sets, JVM flags that the JVM chose itself included."
						+ more,
				head, rows.stream().limit(MOST_ROWS).toList());
	}

	Table environment() {
		Environment environment = this.results.environment();
		RunResults.Settings settings = this.results.settings();
		List<List<String>> rows = new ArrayList<>(List.of(
				List.of("CPU", environment.cpu() + ", " + environment.cores() + " cores"),
				List.of("memory", Figures.bytes(environment.memoryBytes())),
				List.of("operating system", environment.os()),
				List.of("Java", environment.java() + " (" + environment.jvm() + ")"),
				List.of("gateway heap", settings.heap()),
				List.of("warm-up", "at most " + Figures.duration(settings.warmup()) + " of CPU time"),
				List.of("slice", Figures.duration(settings.slice())),
				List.of("engine",
						settings.engine() + (settings.pinned() ? ", pinned" : "") + ", processes told apart by "
								+ environment.groupedBy().name().toLowerCase(Locale.ROOT).replace('_', ' ')),
				List.of("starts, slices, seed",
						this.results.starts() + ", " + this.results.slices().size() + ", " + settings.seed()),
				List.of("started, finished",
						this.results.startedAt() + ", " + Objects.requireNonNullElse(this.results.finishedAt(), "not")),
				List.of("commit", commit(environment))));
		environment.machine().forEach((name, value) -> rows.add(List.of(name, value)));
		environment.jars().forEach((jar, hash) -> rows.add(List.of(jar, "SHA-256 " + hash)));
		rows.add(List.of("arguments of the runner", String.join(" ", environment.runnerCommand())));
		rows.add(List.of("command of the backends", String.join(" ", environment.backendCommand())));
		for (Row row : Row.of(this.results)) {
			GatewayFigures gateway = row.first().gateway();
			if (gateway != null) {
				rows.add(List.of("command of " + row.title(), String.join(" ", gateway.command())
						+ (gateway.affinity().isEmpty() ? "" : " (on cores " + gateway.affinity() + ")")));
			}
		}
		return new Table("Environment", "", List.of("what", "value"), rows);
	}

	static String commit(Environment environment) {
		if (environment.gitCommit() == null) {
			return Figures.UNKNOWN;
		}
		return environment.gitCommit()
				+ (Boolean.TRUE.equals(environment.gitDirty()) ? ", with uncommitted changes" : "");
	}

}
