package io.gatewaybench.benchmark.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import io.gatewaybench.benchmark.failure.BenchFailure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the JSON files of a run. A file is replaced as a whole, so that a kill
 * at any time leaves the previous or the new one.
 */
public final class ResultsFile {

	/**
	 * Its name in the directory of a run.
	 */
	public static final String NAME = "results.json";

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(SerializationFeature.INDENT_OUTPUT)
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	private ResultsFile() {
	}

	/**
	 * Writes a record tree as JSON.
	 * @param file the file to replace; its directory is made if needed
	 * @param content the records
	 */
	public static void write(Path file, Object content) {
		Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(temporary, MAPPER.writeValueAsBytes(content));
			Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new BenchFailure(file + " can't be written: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Reads the results of a run.
	 * @param run the directory of the run, or its file
	 * @return the results
	 * @throws BenchFailure if the file is missing, is not JSON or has a version that is
	 * too old or too new
	 */
	public static RunResults read(Path run) {
		Path file = Files.isRegularFile(run) ? run : run.resolve(NAME);
		try {
			JsonNode tree = MAPPER.readTree(Files.readAllBytes(file));
			int version = tree.path("schemaVersion").asInt(0);
			if (version != RunResults.SCHEMA_VERSION) {
				throw new BenchFailure(file + " has schemaVersion " + version
						+ ", but this version of gateway-bench reads " + RunResults.SCHEMA_VERSION
						+ " only. Use the version that wrote it, or measure again.");
			}
			return MAPPER.treeToValue(tree, RunResults.class);
		}
		catch (NoSuchFileException ex) {
			throw new BenchFailure(
					"There is no " + file + ". Name the directory of a run, such as bench-results/latest.", ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(file + " can't be read", ex);
		}
		catch (JacksonException ex) {
			throw new BenchFailure(
					file + " is not the result of a run, or not all of it. Copy it again, or name another run: "
							+ ex.getOriginalMessage(),
					ex);
		}
	}

}
