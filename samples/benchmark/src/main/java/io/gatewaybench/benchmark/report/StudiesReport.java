package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Suite;

/**
 * One page over the reports of several studies. It has what each says, what was measured,
 * and where both agree. It is written anew before and after each study, so that there is
 * one also after a run that was killed.
 */
public final class StudiesReport {

	private final Path file;

	/**
	 * All studies that are over.
	 */
	private final StringBuilder text = new StringBuilder("""
			# Published comparisons, measured again

			Both columns of figures are ratios of the two variants that a sentence is about. Brackets hold the 95 %
			confidence interval.
			""");

	/**
	 * A page without a study.
	 * @param directory where it goes, above the directories of the suites
	 * @throws BenchFailure if there is the page of another run
	 */
	public StudiesReport(Path directory) {
		this.file = directory.resolve("index.md");
		if (Files.exists(this.file)) {
			throw new BenchFailure("--out " + directory + " has the results of another run; choose another directory.");
		}
	}

	/**
	 * The page.
	 * @return its file
	 */
	public Path file() {
		return this.file;
	}

	/**
	 * Adds a suite that is run next, and writes the page.
	 * @param suite the suite, whose report will be in the directory of its name
	 */
	public void begin(Suite suite) {
		this.text.append("\n## ").append(MarkdownReport.escape(suite.title())).append("\n\n");
		if (suite.study() != null) {
			this.text.append(MarkdownReport.escape(suite.study().source())).append("\n\n");
		}
		write("It was not measured to the end. What was measured is in " + suite.name() + ".\n");
	}

	/**
	 * Adds what was measured of the suite that began last, and writes the page.
	 * @param results what was measured
	 */
	public void end(RunResults results) {
		Answer.notSure(results)
			.ifPresent((sentence) -> this.text.append(MarkdownReport.escape(sentence)).append("\n\n"));
		Table claims = Published.claims(results);
		this.text.append(claims.isEmpty() ? "The study has no figures for these scenarios.\n" : claims.toMarkdown())
			.append("\n[The whole report](")
			.append(results.suite())
			.append("/report.html)\n");
		write("");
	}

	/**
	 * Adds why the suite that began last could not be run, and writes the page.
	 * @param failure why
	 */
	public void fail(String failure) {
		this.text.append("It could not be run: ").append(MarkdownReport.escape(failure)).append('\n');
		write("");
	}

	private void write(String end) {
		try {
			Files.createDirectories(this.file.toAbsolutePath().getParent());
			Files.writeString(this.file, this.text + end);
		}
		catch (IOException ex) {
			throw new BenchFailure(
					"The page over all studies can't be written to " + this.file + ": " + ex.getMessage(), ex);
		}
	}

}
