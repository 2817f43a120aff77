package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.ResultsFile;

/**
 * Where a run leaves its files.
 *
 * @param path the directory of the run
 */
public record OutputDirectory(Path path) {

	private static final Set<String> RESULTS = Set.of(ResultsFile.NAME, FaultResults.NAME);

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

	/**
	 * Creates the directory.
	 * @param directory its path
	 * @return the directory
	 * @throws BenchFailure if it can't be written, or has the results of another run
	 */
	public static OutputDirectory create(Path directory) {
		try {
			Files.createDirectories(directory.resolve("raw"));
			Files.createDirectories(directory.resolve("logs"));
			try (Stream<Path> files = Files.list(directory)) {
				if (files.map((file) -> file.getFileName().toString()).anyMatch(RESULTS::contains)) {
					throw new BenchFailure(
							"--out " + directory + " has the results of another run; choose another directory.");
				}
			}
			Files.delete(Files.createTempFile(directory, "writable", null));
		}
		catch (FileAlreadyExistsException ex) {
			throw new BenchFailure(ex.getFile() + " is not a directory, so the results can't be written to " + directory
					+ "; choose another one with --out.", ex);
		}
		catch (IOException ex) {
			throw new BenchFailure("The results can't be written to " + directory + ": " + ex
					+ "; choose another directory with --out.", ex);
		}
		return new OutputDirectory(directory);
	}

	/**
	 * A directory under {@code bench-results}.
	 * @param suite what is run
	 * @param now the time in its name
	 * @return the path; nothing is created
	 */
	public static Path named(String suite, LocalDateTime now) {
		return Path.of("bench-results", suite + "-" + TIME.format(now));
	}

	/**
	 * Where everybody's own files go.
	 * @return the absolute path of the directory
	 */
	public Path raw() {
		return this.path.resolve("raw").toAbsolutePath();
	}

	/**
	 * The file for the output of a process.
	 * @param name the name of the file, without {@code .log}
	 * @return the path of the file
	 */
	public Path log(String name) {
		return this.path.resolve("logs").resolve(name + ".log");
	}

	/**
	 * Lets {@code latest} beside this directory point to it, where the file system has
	 * links.
	 */
	void link() {
		Path target = this.path.toAbsolutePath().normalize();
		Path link = target.resolveSibling("latest");
		try {
			if (Files.exists(link, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(link)) {
				return;
			}
			// A link can't be replaced at once, but a rename of another one over it can
			Path temporary = target.resolveSibling("latest.tmp");
			Files.deleteIfExists(temporary);
			Files.createSymbolicLink(temporary, target.getFileName());
			Files.move(temporary, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException | UnsupportedOperationException ex) {
			// The results are there without it
		}
	}

}
