package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which a JMeter runs, with the key that it looks for there. Nobody else
 * can read it.
 *
 * @param directory the directory
 */
record Workplace(Path directory) implements AutoCloseable {

	/**
	 * Makes one with a link to a key.
	 * @param key the key of the agents, {@code null} if there are none
	 * @throws BenchFailure if it can't be made
	 */
	static Workplace with(@Nullable Path key) {
		if (key != null) {
			AgentKey.check(key);
		}
		try {
			Workplace workplace = new Workplace(Files.createTempDirectory("gateway-bench-jmeter-"));
			if (key != null) {
				Files.createSymbolicLink(workplace.directory.resolve(AgentKey.NAME), key.toAbsolutePath());
			}
			return workplace;
		}
		catch (IOException ex) {
			throw new BenchFailure("The directory in which JMeter runs can't be made: " + ex, ex);
		}
	}

	Path jmeterLog() {
		return this.directory.resolve("jmeter.log");
	}

	/**
	 * Removes it, and leaves alone what the link to the key names. To close it again does
	 * nothing.
	 */
	@Override
	public void close() {
		if (!Files.exists(this.directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.directory + " can't be removed; it may have a key", ex);
		}
	}

}
