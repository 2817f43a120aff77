package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;

/**
 * On what was measured, and with which settings.
 *
 * @param results the run
 * @param raw the files of the run
 */
record Setup(RunResults results, RawFiles raw) {

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
		return gateway + boot + "Java " + environment.java() + ", heap " + settings.heap() + "; "
				+ String.join(", ", machine(environment)) + "; load: " + String.join("; ", loads(Row.of(this.results)))
				+ ", " + Figures.starts(this.results.starts()) + ".";
	}

	private static Optional<String> version(List<String> libraries, String name) {
		return libraries.stream()
			.filter((library) -> library.matches(Pattern.quote(name) + "-\\d.*"))
			.map((library) -> library.substring(name.length() + 1))
			.findFirst();
	}

	static List<String> loads(List<Row> rows) {
		return rows.stream().map(Row::first).map(Setup::load).distinct().toList();
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
		Map<String, Map<String, String>> variants = variants();
		List<String> head = new ArrayList<>(List.of("setting"));
		head.addAll(variants.keySet());
		return Table.of("Differences between the variants",
				"Effective settings: those of the jar and what the suite sets, JVM flags that the JVM chose itself included.",
				head, (rows) -> {
					List<String> names = names(variants).filter((name) -> values(variants, name).distinct().count() > 1)
						.toList();
					names.stream()
						.limit(MOST_ROWS)
						.forEach(
								(name) -> rows.accept(Stream.concat(Stream.of(name), values(variants, name)).toList()));
					if (names.size() > MOST_ROWS) {
						rows.accept(Stream.concat(
								Stream.of("… and " + (names.size() - MOST_ROWS) + " more, in the configuration files"),
								variants.keySet().stream().map((variant) -> ""))
							.toList());
					}
				});
	}

	private static Stream<String> names(Map<String, Map<String, String>> variants) {
		return variants.values()
			.stream()
			.flatMap((settings) -> settings.keySet().stream())
			.collect(Collectors.toCollection(TreeSet::new))
			.stream();
	}

	private static Stream<String> values(Map<String, Map<String, String>> variants, String name) {
		return variants.values().stream().map((settings) -> settings.getOrDefault(name, "–"));
	}

	private Map<String, Map<String, String>> variants() {
		Map<String, Map<String, String>> variants = new LinkedHashMap<>();
		for (ScenarioResult scenario : this.results.scenarios()) {
			if (scenario.gateway() != null && !variants.containsKey(scenario.variant())) {
				variants.put(scenario.variant(), new TreeMap<>(
						new EffectiveSettings(this.results.environment(), this.raw).of(scenario.gateway())));
			}
		}
		return variants;
	}

	Table environment() {
		Environment environment = this.results.environment();
		RunResults.Settings settings = this.results.settings();
		return Table.of("Environment", "", List.of("what", "value"), (rows) -> {
			rows.accept(List.of("CPU", environment.cpu() + ", " + environment.cores() + " cores"));
			rows.accept(List.of("memory", Figures.bytes(environment.memoryBytes())));
			rows.accept(List.of("operating system", environment.os()));
			rows.accept(List.of("Java", jdk(environment)));
			rows.accept(List.of("gateway heap", settings.heap()));
			rows.accept(List.of("warm-up", "at most " + Figures.duration(settings.warmup()) + " of CPU time"));
			rows.accept(List.of("slice", Figures.duration(settings.slice())));
			rows.accept(List.of("engine",
					settings.engine() + (settings.pinned() ? ", pinned" : "") + ", " + groups(environment)));
			rows.accept(List.of("starts, slices, seed",
					this.results.starts() + ", " + this.results.slices().size() + ", " + settings.seed()));
			rows.accept(List.of("started, finished",
					this.results.startedAt() + ", " + Objects.requireNonNullElse(this.results.finishedAt(), "not")));
			rows.accept(List.of("commit", commit(environment)));
			environment.machine().forEach((name, value) -> rows.accept(List.of(name, value)));
			environment.jars().forEach((jar, hash) -> rows.accept(List.of(jar, "SHA-256 " + hash)));
		});
	}

	/**
	 * What was started, word for word.
	 */
	Table commands() {
		return Table.of("Commands", "", List.of("process", "command"), (rows) -> {
			rows.accept(List.of("runner", String.join(" ", this.results.environment().runnerCommand())));
			rows.accept(List.of("backends", String.join(" ", this.results.environment().backendCommand())));
			Row.of(this.results).stream().map(Row::first).forEach((scenario) -> {
				if (scenario.gateway() != null) {
					rows.accept(List.of(scenario.title(),
							String.join(" ", scenario.gateway().command()) + (scenario.gateway().affinity().isEmpty()
									? "" : " (on cores " + scenario.gateway().affinity() + ")")));
				}
			});
		});
	}

	/**
	 * What makes a machine as fast as it is.
	 */
	static List<String> machine(Environment environment) {
		return List.of(environment.cpu(), environment.cores() + " cores", Figures.bytes(environment.memoryBytes()),
				environment.os());
	}

	static String jdk(Environment environment) {
		return environment.java() + " (" + environment.jvm() + ")";
	}

	static String commit(Environment environment) {
		if (environment.gitCommit() == null) {
			return Figures.UNKNOWN;
		}
		return environment.gitCommit()
				+ (Boolean.TRUE.equals(environment.gitDirty()) ? ", with uncommitted changes" : "");
	}

	static String groups(Environment environment) {
		return switch (environment.groupedBy()) {
			case CGROUPS_V1 -> "cgroups (v1) of their own";
			case CGROUPS_V2 -> "cgroups (v2) of their own";
			case SESSIONS -> "sessions of their own";
			case NOTHING -> "one session";
		};
	}

}
