package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * Writes {@code report.md}, {@code report.html} and, where something must not hold,
 * {@code thresholds.xml}: views of {@code results.json}.
 */
public final class Reports {

	private static final String HTML = "report.html";

	private static final String MARKDOWN = "report.md";

	private Reports() {
	}

	/**
	 * The report for the browser.
	 * @param directory the directory of the run
	 * @return its file, which may not be there
	 */
	public static Path page(Path directory) {
		return directory.resolve(HTML);
	}

	/**
	 * Writes the reports, in place of older ones.
	 * @param results the run
	 * @param directory the directory of the run
	 * @return the file for the browser
	 */
	public static Path write(RunResults results, Path directory) {
		try {
			if (!results.thresholds().isEmpty()) {
				Files.writeString(directory.resolve(ThresholdReport.NAME), ThresholdReport.xml(results));
			}
			Findings findings = new Findings(results, directory);
			Files.writeString(directory.resolve(MARKDOWN), MarkdownReport.render(findings));
			return Files.writeString(page(directory), HtmlReport.render(findings, null));
		}
		catch (IOException ex) {
			throw new BenchFailure("The report can't be written to " + directory + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Writes the reports by the name of the suite into a directory that many runs share,
	 * with one copy of what their pages have in common. The directories of this machine
	 * are left out, as such a directory is meant for others.
	 * @param results the run
	 * @param directory the directory of the run
	 * @param shared where they go; created if needed
	 * @return the file for the browser
	 */
	public static Path publish(RunResults results, Path directory, Path shared) {
		try {
			Findings findings = new Findings(results, directory);
			String page = HtmlReport.render(findings, shared.resolve("assets"));
			Files.writeString(shared.resolve(results.suite() + ".md"),
					withoutPlaces(MarkdownReport.render(findings), results.suite(), directory));
			return Files.writeString(shared.resolve(results.suite() + ".html"),
					withoutPlaces(page, results.suite(), directory));
		}
		catch (IOException ex) {
			throw new BenchFailure("The report can't be written to " + shared + ": " + ex.getMessage(), ex);
		}
	}

	private static String withoutPlaces(String text, String suite, Path directory) {
		return text.replace(directory.toAbsolutePath().normalize().toString(), "bench-results/" + suite)
			.replaceAll("/[^ <|]*/(?=(samples/[a-z-]+|backend-sim)/target/)", "")
			// Suites, hosts and jars that the user named
			.replaceAll("(?<![\\w./:-])/[^ <|]*/(?=[^ /<|]+\\.(jar|ya?ml)\\b)", "");
	}

}
