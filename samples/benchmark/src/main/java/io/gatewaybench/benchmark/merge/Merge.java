package io.gatewaybench.benchmark.merge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import io.gatewaybench.benchmark.engine.LatencyViews;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LatencyFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;

/**
 * Puts the segments of a run together: counts are added, and so are histograms, sample by
 * sample. So the percentiles are those of all requests.
 */
public final class Merge {

	/**
	 * How far the starts of a measurement may be apart.
	 */
	static final Duration TOLERANCE = Duration.ofMillis(250);

	private final List<Part> parts;

	private Merge(List<Part> parts) {
		this.parts = parts;
	}

	/**
	 * Reads all segments of a run, and checks that they belong together.
	 * @param directories the directories of the hosts' runs, in any order
	 * @return what can be put together
	 * @throws InvalidSegmentsException if one is missing, or does not belong to the
	 * others
	 */
	public static Merge of(List<Path> directories) {
		List<Part> parts = directories.stream()
			.map(Part::read)
			.sorted(Comparator.comparingInt((part) -> part.segment().number()))
			.toList();
		checkNumbers(parts);
		Part first = parts.getFirst();
		for (Part part : parts) {
			String difference = difference("", first.plan(), part.plan());
			if (difference != null) {
				throw new InvalidSegmentsException("%s and %s are parts of different runs: %s"
					.formatted(first.directory(), part.directory(), difference));
			}
			checkVersion(first, part);
			if (!first.slices().equals(part.slices())) {
				throw new InvalidSegmentsException(
						"%s and %s have different slices".formatted(first.directory(), part.directory()));
			}
		}
		checkClocks(parts);
		first.slices().forEach((name) -> checkStarts(name, parts));
		return new Merge(parts);
	}

	private static void checkNumbers(List<Part> parts) {
		int count = parts.getFirst().segment().count();
		TreeSet<Integer> missing = IntStream.rangeClosed(1, count)
			.boxed()
			.collect(Collectors.toCollection(TreeSet::new));
		for (Part part : parts) {
			if (part.segment().count() != count) {
				throw new InvalidSegmentsException("%s is segment %s and %s is segment %s; name those of one run"
					.formatted(parts.getFirst().directory(), parts.getFirst().segment(), part.directory(),
							part.segment()));
			}
			if (!missing.remove(part.segment().number())) {
				throw new InvalidSegmentsException("segment %s is there twice, the second time in %s; name each once"
					.formatted(part.segment(), part.directory()));
			}
		}
		if (!missing.isEmpty()) {
			throw new InvalidSegmentsException("segment %s of %d is missing; name the directories of all segments"
				.formatted(missing.stream().map(String::valueOf).collect(Collectors.joining(", ")), count));
		}
	}

	private static void checkVersion(Part first, Part part) {
		Environment one = first.results().environment();
		Environment other = part.results().environment();
		if (!Objects.equals(one.gitCommit(), other.gitCommit()) || !Objects.equals(one.gitDirty(), other.gitDirty())) {
			throw new InvalidSegmentsException(
					"%s was measured by another version than %s (commit %s, changed %s; commit %s, changed %s); use the same one on all hosts"
						.formatted(part.directory(), first.directory(), other.gitCommit(), other.gitDirty(),
								one.gitCommit(), one.gitDirty()));
		}
	}

	// By their own clocks all hosts began together, also those whose clocks are wrong
	private static void checkClocks(List<Part> parts) {
		Map<String, Integer> ahead = new LinkedHashMap<>();
		for (Part part : parts) {
			part.results().environment().machine().forEach((name, value) -> {
				if (name.startsWith(Environment.CLOCK) && value.matches("[+-]\\d{1,9} ms")) {
					ahead.put(part.segment().toString(), Integer.parseInt(value.replace(" ms", "")));
				}
			});
		}
		Comparator<Map.Entry<String, Integer>> byClock = Map.Entry.comparingByValue();
		if (ahead.size() < 2) {
			return;
		}
		Map.Entry<String, Integer> slowest = ahead.entrySet().stream().min(byClock).orElseThrow();
		Map.Entry<String, Integer> fastest = ahead.entrySet().stream().max(byClock).orElseThrow();
		int apart = fastest.getValue() - slowest.getValue();
		if (apart > TOLERANCE.toMillis()) {
			throw new InvalidSegmentsException(
					"the clock of segment %s is %d ms ahead of that of segment %s, more than %d ms: the hosts did not load the target together; set their clocks"
						.formatted(fastest.getKey(), apart, slowest.getKey(), TOLERANCE.toMillis()));
		}
	}

	private static void checkStarts(String name, List<Part> parts) {
		Comparator<Part> byStart = Comparator.comparing((part) -> part.slice(name).startedAt());
		Part earliest = parts.stream().min(byStart).orElseThrow();
		Part latest = parts.stream().max(byStart).orElseThrow();
		Instant begin = earliest.slice(name).startedAt();
		Duration apart = Duration.between(begin, latest.slice(name).startedAt());
		if (apart.compareTo(TOLERANCE) > 0) {
			throw new InvalidSegmentsException(
					"segment %s began %s %d ms after segment %s, more than %d ms: the hosts did not load the target together; check their clocks"
						.formatted(latest.segment(), name, apart.toMillis(), earliest.segment(), TOLERANCE.toMillis()));
		}
	}

	/**
	 * The first place at which two trees differ.
	 */
	private static @Nullable String difference(String path, JsonNode one, JsonNode other) {
		if (one.isContainer() && other.isContainer() && one.isArray() == other.isArray()
				&& one.size() == other.size()) {
			List<String> keys = one.isArray() ? IntStream.range(0, one.size()).mapToObj(Integer::toString).toList()
					: List.copyOf(one.propertyNames());
			for (String key : keys) {
				String difference = difference(path.isEmpty() ? key : path + "." + key, child(one, key),
						child(other, key));
				if (difference != null) {
					return difference;
				}
			}
			return null;
		}
		return one.equals(other) ? null : "%s is %s and %s".formatted(path, shown(one), shown(other));
	}

	private static JsonNode child(JsonNode node, String key) {
		return node.isArray() ? node.path(Integer.parseInt(key)) : node.path(key);
	}

	private static String shown(JsonNode node) {
		return node.isContainer() ? "something else" : node.isMissingNode() ? "missing" : node.toString();
	}

	/**
	 * Puts them together.
	 * @param raw the directory for the histograms of all hosts
	 * @return the results of the whole load
	 * @throws BenchFailure if a file can't be written
	 */
	public RunResults results(Path raw) {
		RunResults first = this.parts.getFirst().results();
		RunResults results = RunResults.begin(first.suite(),
				first.title().replaceFirst(" \\(segment [0-9]+ of [0-9]+\\)$", ""), first.study(), first.startedAt(),
				first.settings(), environment(first.environment()), first.planned(), first.question(), first.choose());
		List<Slice> slices = new ArrayList<>();
		Map<ScenarioResult, List<StageResult>> played = new LinkedHashMap<>();
		for (Slice slice : first.slices()) {
			String name = Part.name(slice);
			StageResult stage = StageResult
				.merge(this.parts.stream().map((part) -> part.stage(name).getValue()).toList());
			write(raw.resolve(this.parts.getFirst().stage(name).getKey()), stage);
			slices.add(new Slice(slice.scenario(), slice.start(), slice.round(), stage.start(), figures(stage), null, 0,
					0, 0));
			played
				.computeIfAbsent(this.parts.getFirst().scenario(slice.scenario(), slice.start()),
						(any) -> new ArrayList<>())
				.add(stage);
		}
		List<ScenarioResult> scenarios = new ArrayList<>();
		played.forEach((any, stages) -> scenarios
			.add(merged(this.parts.stream().map((part) -> part.scenario(any.id(), any.start())).toList(),
					StageResult.inTurn(stages))));
		results = results.with(scenarios, slices);
		Instant end = this.parts.stream()
			.map((part) -> part.results().finishedAt())
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(first.startedAt());
		return results.ended(Status.COMPLETE, null, end);
	}

	/**
	 * Writes what was planned on all hosts.
	 * @param file the file
	 */
	public void writePlan(Path file) {
		ResultsFile.write(file, this.parts.getFirst().plan());
	}

	private static void write(Path directory, StageResult stage) {
		try {
			Path file = directory.resolve("load.json");
			List<StageResult> stages = new ArrayList<>(
					Files.exists(file) ? LoadResult.read(directory).stages() : List.of());
			stages.add(stage);
			new LoadResult("merged", directory.getFileName().toString(), stage.complete(), stages).write(directory);
		}
		catch (IOException ex) {
			throw new BenchFailure("The histograms can't be written to " + directory + ": " + ex, ex);
		}
	}

	private static Map<Metric, Double> figures(StageResult stage) {
		LatencyViews latency = stage.total().latency();
		Map<Metric, @Nullable Double> all = new EnumMap<>(Metric.class);
		all.put(Metric.THROUGHPUT, stage.throughput());
		all.put(Metric.SERVICE_MEAN, latency.service().summary().meanMs());
		all.put(Metric.SERVICE_P50, latency.service().summary().p50Ms());
		all.put(Metric.SERVICE_P99, latency.service().summary().p99Ms());
		all.put(Metric.OVERHEAD_P50, latency.overhead().summary().p50Ms());
		all.put(Metric.OVERHEAD_P99, latency.overhead().summary().p99Ms());
		all.put(Metric.RESPONSE_P50, latency.response().summary().p50Ms());
		all.put(Metric.SLO_P99, latency.slo().summary().p99Ms());
		Map<Metric, Double> known = new EnumMap<>(Metric.class);
		all.forEach((metric, value) -> {
			if (value != null && value > 0) {
				known.put(metric, value);
			}
		});
		return known;
	}

	private Environment environment(Environment any) {
		Map<String, String> machine = new LinkedHashMap<>(any.machine());
		for (Part part : this.parts) {
			Environment own = part.results().environment();
			machine.put("load host " + part.segment(),
					"%s, %d cores, %s, Java %s".formatted(own.cpu(), own.cores(), own.os(), own.java()));
		}
		return new Environment(any.cpu(), any.cores(), any.memoryBytes(), any.os(), any.groupedBy(), any.java(),
				any.jvm(), any.gitCommit(), any.gitDirty(), any.jars(), machine, any.libraries(), any.gatewaySettings(),
				any.backendCommand(), any.runnerCommand());
	}

	private ScenarioResult merged(List<ScenarioResult> some, StageResult stage) {
		ScenarioResult any = some.getFirst();
		TypeResult total = stage.total();
		return new ScenarioResult(any.id(), any.title(), any.variant(), any.control(), any.baseline(),
				load(some.stream().map(ScenarioResult::load).toList(), total.counts().intended()), any.start(),
				any.slices(), stage.start(), stage.seconds(), total.counts(), stage.throughput(),
				new LatencyFigures(total.latency().service().summary(), total.latency().response().summary(),
						total.latency().slo().summary(), total.latency().overhead().summary()),
				types(any, stage), stage.series(), any.gateway(),
				new GeneratorFigures(any.generator().engine(), stage.generator().cpuSeconds(),
						stage.generator().reconnects(), stage.generator().lag().summary(), stage.generator().agents()),
				new Resources(null, null, null, null, null, null, null), List.of(), maximum(some, stage.throughput()),
				own(some, ScenarioResult::failures), own(some, ScenarioResult::remarks));
	}

	private static LoadFigures load(List<LoadFigures> loads, long offered) {
		LoadFigures any = loads.getFirst();
		Double rate = (any.rate() != null) ? (Double) loads.stream()
			.map(LoadFigures::rate)
			.filter(Objects::nonNull)
			.mapToDouble((each) -> each)
			.sum() : null;
		return new LoadFigures(any.id(), any.selection(), any.model(),
				loads.stream().mapToInt(LoadFigures::connections).sum(), any.thinkMs(), any.iterations(), rate,
				any.arrivals(), any.p99LimitMs(), offered);
	}

	private static List<TypeFigures> types(ScenarioResult any, StageResult stage) {
		long intended = Math.max(1, stage.total().counts().intended());
		List<TypeFigures> types = new ArrayList<>();
		for (TypeResult type : stage.types()) {
			// Where no response tells, the suite does, and so the same on all hosts
			Double backend = any.types()
				.stream()
				.filter((each) -> each.name().equals(type.type()))
				.findFirst()
				.map(TypeFigures::backendMeanMs)
				.orElse(null);
			types.add(new TypeFigures(type.type(), type.counts().intended() / (double) intended, type.counts(),
					type.statuses(), type.failures(), type.latency().service().summary(),
					(type.backendMeanMs() != null) ? type.backendMeanMs() : backend));
		}
		return types;
	}

	// Users of all hosts / mean latency of the backends
	private static @Nullable TheoreticalMaximum maximum(List<ScenarioResult> some, double perSecond) {
		double most = 0;
		double users = 0;
		for (ScenarioResult part : some) {
			TheoreticalMaximum own = part.theoreticalMaximum();
			if (own == null) {
				return null;
			}
			most += own.requestsPerSecond();
			users += own.requestsPerSecond() * own.backendMeanMs() / 1_000;
		}
		return new TheoreticalMaximum(users / most * 1_000, most, perSecond / most);
	}

	private List<String> own(List<ScenarioResult> some, Function<ScenarioResult, List<String>> what) {
		List<String> all = new ArrayList<>();
		for (int index = 0; index < some.size(); index++) {
			String segment = "segment " + this.parts.get(index).segment() + ": ";
			what.apply(some.get(index)).forEach((each) -> all.add(segment + each));
		}
		return all;
	}

}
