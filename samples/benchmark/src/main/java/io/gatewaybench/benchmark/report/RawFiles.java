package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a run.
 *
 * @param directory the directory of the run
 * @param names paths of the files within it, without the reports, sorted
 */
record RawFiles(Path directory, List<String> names) {

	static final String MARKDOWN = "report.md";

	static final String HTML = "report.html";

	/**
	 * No files, where there is nothing but the results.
	 */
	static final RawFiles NONE = new RawFiles(Path.of(""), List.of());

	private static final Set<String> REPORTS = Set.of(MARKDOWN, HTML);

	RawFiles {
		names = List.copyOf(names);
	}

	static RawFiles of(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return new RawFiles(directory,
					files.filter(Files::isRegularFile)
						.map((file) -> directory.relativize(file).toString())
						.filter((file) -> !REPORTS.contains(file))
						.sorted()
						.toList());
		}
	}

	/**
	 * The text of a file.
	 * @param name its path within the directory
	 * @return the text, empty if there is no such file or it can't be read
	 */
	Optional<String> text(String name) {
		if (!this.names.contains(name)) {
			return Optional.empty();
		}
		try {
			return Optional.of(Files.readString(this.directory.resolve(name)));
		}
		catch (IOException ex) {
			// A report without it is better than none
			return Optional.empty();
		}
	}

}
