package io.gatewaybench.benchmark.load;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.function.Function;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of one session. They are written by {@code java.io} streams, which an
 * interrupt of the thread does not close half-way.
 */
public final class LoadFiles {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Path directory;

	/**
	 * The files in a directory.
	 * @param directory the directory
	 */
	public LoadFiles(Path directory) {
		this.directory = directory;
	}

	/**
	 * Where the files are.
	 * @return the directory
	 */
	public Path directory() {
		return this.directory;
	}

	Path plan() {
		return this.directory.resolve("plan.json");
	}

	Path result() {
		return this.directory.resolve("load.json");
	}

	Path log() {
		return this.directory.resolve("generator.log");
	}

	/**
	 * Writes what is to be sent.
	 * @param plan the plan
	 */
	public void writePlan(LoadPlan plan) {
		MAPPER.writeValue(plan().toFile(), plan);
	}

	/**
	 * Reads a plan.
	 * @param file the file
	 * @return the plan
	 * @throws IOException if the file is not there or is not a plan, with the reason
	 */
	static LoadPlan readPlan(Path file) throws IOException {
		return read(file, LoadPlan.class);
	}

	LoadResult readResult() throws IOException {
		return read(result(), LoadResult.class);
	}

	private static <T> T read(Path file, Class<T> type) throws IOException {
		if (!Files.isReadable(file)) {
			throw new FileNotFoundException("%s is not there or cannot be read".formatted(file));
		}
		try {
			return MAPPER.readValue(file.toFile(), type);
		}
		catch (JacksonException ex) {
			throw new IOException("%s is not a %s: %s".formatted(file, type.getSimpleName(), ex.getOriginalMessage()),
					ex);
		}
	}

	/**
	 * Writes the histograms, and then the result, at once, so that whoever finds it finds
	 * all of it.
	 * @param result the result
	 * @throws IOException if a file cannot be written
	 */
	public void writeResult(LoadResult result) throws IOException {
		writeHistograms(result, "service", LatencyViews::service);
		writeHistograms(result, "response", LatencyViews::response);
		writeHistograms(result, "slo", LatencyViews::slo);
		writeHistograms(result, "overhead", LatencyViews::overhead);
		Path unfinished = this.directory.resolve("load.json.tmp");
		MAPPER.writeValue(unfinished.toFile(), result);
		Files.move(unfinished, result(), StandardCopyOption.ATOMIC_MOVE);
	}

	private void writeHistograms(LoadResult result, String view, Function<LatencyViews, LatencyHistogram> selector)
			throws IOException {
		for (String type : result.stages()
			.stream()
			.flatMap((stage) -> stage.types().stream().map(TypeResult::type))
			.distinct()
			.toList()) {
			Path file = this.directory.resolve(type + "-" + view + ".hlog");
			try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
				HistogramLogWriter writer = new HistogramLogWriter(out);
				writer.outputLogFormatVersion();
				writer.outputComment("%s, %s time in nanoseconds, one line per stage".formatted(type, view));
				writer.outputStartTime(result.stages().get(0).start().toEpochMilli());
				writer.outputLegend();
				for (StageResult stage : result.stages()) {
					stage.types()
						.stream()
						.filter((each) -> each.type().equals(type))
						.forEach((each) -> write(writer, stage, selector.apply(each.latency())));
				}
				if (out.checkError()) {
					throw new IOException("%s cannot be written; is the disk full?".formatted(file));
				}
			}
		}
	}

	private static void write(HistogramLogWriter writer, StageResult stage, LatencyHistogram stored) {
		Histogram histogram = stored.histogram();
		Instant end = stage.start().plusMillis(Math.round(stage.seconds() * 1_000));
		histogram.setTag(stage.stage().replaceAll("[,\\s]", "_"));
		histogram.setStartTimeStamp(stage.start().toEpochMilli());
		histogram.setEndTimeStamp(end.toEpochMilli());
		writer.outputIntervalHistogram(histogram);
	}

	static String line(Object value) {
		return MAPPER.writeValueAsString(value);
	}

	static <T> T parse(String line, Class<T> type) {
		return MAPPER.readValue(line, type);
	}

}
