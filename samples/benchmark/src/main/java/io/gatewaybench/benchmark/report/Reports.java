package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * Writes {@code report.md} and {@code report.html}, two views of {@code results.json}.
 */
public final class Reports {

	private static final String MARKDOWN = "report.md";

	private static final String HTML = "report.html";

	private static final Set<String> OWN = Set.of(MARKDOWN, HTML);

	private Reports() {
	}

	/**
	 * Writes both reports, in place of older ones.
	 * @param results the run
	 * @param directory the directory of the run
	 * @return the file for the browser
	 */
	public static Path write(RunResults results, Path directory) {
		Findings findings = new Findings(results);
		try {
			List<String> files = files(directory);
			Files.writeString(directory.resolve(MARKDOWN), MarkdownReport.render(findings, files));
			return Files.writeString(directory.resolve(HTML), HtmlReport.render(findings, files));
		}
		catch (IOException ex) {
			throw new BenchFailure("The report can't be written to " + directory + ": " + ex.getMessage(), ex);
		}
	}

	private static List<String> files(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter(Files::isRegularFile)
				.map((file) -> directory.relativize(file).toString())
				.filter((file) -> !OWN.contains(file))
				.sorted()
				.toList();
		}
	}

}
