package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The directory in which a JMeter runs, with the key that it looks for there. Nobody else
 * can read it.
 *
 * @param directory the directory
 */
record Workplace(Path directory) implements AutoCloseable {

	/**
	 * Makes one with a link to a key.
	 * @param key the key of the agents
	 * @throws IOException if it can't be made
	 */
	static Workplace with(Path key) throws IOException {
		AgentKey.check(key);
		Workplace workplace = create();
		try {
			Files.createSymbolicLink(workplace.key(), key.toAbsolutePath());
			return workplace;
		}
		catch (IOException ex) {
			workplace.close();
			throw ex;
		}
	}

	/**
	 * Makes one with a key of its own.
	 * @throws IOException if it can't be made
	 */
	static Workplace withOwnKey() throws IOException, InterruptedException {
		Workplace workplace = create();
		try {
			AgentKey.create(workplace.key());
			return workplace;
		}
		catch (InterruptedException | RuntimeException ex) {
			workplace.close();
			throw ex;
		}
	}

	private static Workplace create() throws IOException {
		return new Workplace(Files.createTempDirectory("gateway-bench-jmeter-"));
	}

	Path key() {
		return this.directory.resolve(AgentKey.NAME);
	}

	Path jmeterLog() {
		return this.directory.resolve("jmeter.log");
	}

	Path log() {
		return this.directory.resolve("output.txt");
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
