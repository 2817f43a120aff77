package io.gatewaybench.benchmark.merge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;

/**
 * What one host measured.
 *
 * @param directory where its files are
 * @param segment which part it did
 * @param plan what all hosts have in common
 * @param results its results
 * @param stages its slices, each by the directory of its generator
 */
record Part(Path directory, Segment segment, JsonNode plan, RunResults results,
		Map<Slice, Map.Entry<String, StageResult>> stages) {

	// A measurement of 10 minutes has some 300 KB
	private static final long MOST_BYTES = 100_000_000;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	/**
	 * Reads the directory of a run.
	 * @throws InvalidSegmentsException if it is no segment, or not all of it
	 */
	static Part read(Path directory) {
		try {
			ObjectNode plan = plan(directory.resolve("plan.json"));
			JsonNode segment = plan.remove("segment");
			if (segment == null || MAPPER.treeToValue(segment, Segment.class).alone()) {
				throw new InvalidSegmentsException(directory + " is no segment: it was run without --segment");
			}
			Segment own = MAPPER.treeToValue(segment, Segment.class);
			checkSize(directory.resolve(ResultsFile.NAME));
			RunResults results = ResultsFile.read(directory);
			if (results.status() != Status.COMPLETE) {
				throw new InvalidSegmentsException("segment %s in %s is not complete but %s; run all segments again"
					.formatted(own, directory, results.status()));
			}
			return new Part(directory, own, plan, results, stages(directory, results));
		}
		catch (InvalidSegmentsException ex) {
			throw ex;
		}
		// A histogram can be damaged in many ways
		catch (IOException | RuntimeException ex) {
			String reason = (ex instanceof JacksonException json) ? json.getOriginalMessage() : ex.toString();
			throw new InvalidSegmentsException(
					"%s has not all files of a run, or damaged ones; name its directory, or copy it again: %s"
						.formatted(directory, reason.lines().findFirst().orElse("")));
		}
	}

	private static ObjectNode plan(Path file) throws IOException {
		checkSize(file);
		if (MAPPER.readTree(Files.readAllBytes(file)) instanceof ObjectNode plan) {
			return plan;
		}
		throw new IOException(file + " is no plan of a run");
	}

	private static void checkSize(Path file) throws IOException {
		if (Files.size(file) > MOST_BYTES) {
			throw new IOException(file + " has more than " + MOST_BYTES + " bytes");
		}
	}

	private static Map<Slice, Map.Entry<String, StageResult>> stages(Path directory, RunResults results)
			throws IOException {
		Map<String, LoadResult> sessions = new LinkedHashMap<>();
		try (Stream<Path> entries = Files.list(directory.resolve("raw"))) {
			for (Path session : entries.sorted().toList()) {
				Path file = session.resolve("load.json");
				if (Files.isDirectory(session, LinkOption.NOFOLLOW_LINKS) && Files.exists(file)) {
					checkSize(file);
					sessions.put(session.getFileName().toString(), LoadResult.read(session));
				}
			}
		}
		Map<Slice, Map.Entry<String, StageResult>> stages = new LinkedHashMap<>();
		for (Slice slice : results.slices()) {
			stages.put(slice, sessions.entrySet()
				.stream()
				.flatMap((session) -> session.getValue()
					.stages()
					.stream()
					.filter((stage) -> belongsTo(stage, slice))
					.map((stage) -> Map.entry(session.getKey(), stage)))
				.findFirst()
				.orElseThrow(() -> new IOException("raw/ has no load.json with the measurement of " + name(slice))));
		}
		for (ScenarioResult scenario : results.scenarios()) {
			List<StageResult> slices = stages.keySet()
				.stream()
				.filter((slice) -> slice.scenario().equals(scenario.id()) && slice.start() == scenario.start())
				.map((slice) -> Objects.requireNonNull(stages.get(slice)).getValue())
				.toList();
			if (!StageResult.inTurn(slices).total().counts().equals(scenario.counts())) {
				throw new IOException("raw/ has other counts of " + scenario.id() + " than results.json");
			}
		}
		return stages;
	}

	private static boolean belongsTo(StageResult stage, Slice slice) {
		return stage.kind() == Stage.Kind.MEASURE && stage.stage().equals(slice.scenario())
				&& stage.start().equals(slice.startedAt())
				// They become names of files
				&& stage.types().stream().map(TypeResult::type).allMatch((type) -> type.matches("[A-Za-z0-9._-]+"));
	}

	/**
	 * What messages call a slice.
	 */
	static String name(Slice slice) {
		return slice.scenario() + ", start " + slice.start() + ", round " + slice.round();
	}

	List<String> slices() {
		return this.results.slices().stream().map(Part::name).sorted().toList();
	}

	/**
	 * The slice of this host.
	 * @param name what messages call it
	 */
	Slice slice(String name) {
		return this.results.slices().stream().filter((each) -> name(each).equals(name)).findFirst().orElseThrow();
	}

	Map.Entry<String, StageResult> stage(String name) {
		return Objects.requireNonNull(this.stages.get(slice(name)));
	}

	/**
	 * The measurement of this host.
	 */
	ScenarioResult scenario(String id, int start) {
		return this.results.scenarios()
			.stream()
			.filter((each) -> each.id().equals(id) && each.start() == start)
			.findFirst()
			.orElseThrow();
	}

}
