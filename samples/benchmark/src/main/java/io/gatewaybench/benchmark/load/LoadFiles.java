package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import io.gatewaybench.benchmark.failure.BenchFailure;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of one session. They are written by {@code java.io} streams, which an
 * interrupt of the thread does not close half-way.
 *
 * @param directory where they are
 */
public record LoadFiles(Path directory) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

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
	 * Writes what is to be sent, into a directory that is made if needed.
	 * @param plan the plan
	 * @throws IOException if it cannot be written
	 */
	public void writePlan(LoadPlan plan) throws IOException {
		Files.createDirectories(this.directory);
		MAPPER.writeValue(plan().toFile(), plan);
	}

	/**
	 * Reads what was measured.
	 * @return the result
	 * @throws IOException if it is not there or is damaged, with the reason
	 */
	public LoadResult readResult() throws IOException {
		return read(result(), LoadResult.class);
	}

	/**
	 * Reads a file.
	 * @param file the file
	 * @param type what is in it
	 * @return its content
	 * @throws IOException if it is not there or has something else, with the reason
	 */
	static <T> T read(Path file, Class<T> type) throws IOException {
		if (!Files.isReadable(file)) {
			throw new IOException("%s is not there or cannot be read".formatted(file));
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
	 * Writes the result. The file is whole as soon as it is there.
	 * @param result the result
	 * @throws BenchFailure if it cannot be written
	 */
	public void writeResult(LoadResult result) {
		Path unfinished = this.directory.resolve("load.json.tmp");
		try {
			MAPPER.writeValue(unfinished.toFile(), result);
			Files.move(unfinished, result(), StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException | JacksonException ex) {
			throw new BenchFailure("%s can't be written: %s".formatted(result(), ex), ex);
		}
	}

	static String line(Object value) {
		return MAPPER.writeValueAsString(value);
	}

	static <T> T parse(String line, Class<T> type) {
		return MAPPER.readValue(line, type);
	}

}
