package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Study;
import io.gatewaybench.benchmark.suite.Suite;
import org.jspecify.annotations.Nullable;

/**
 * One page over the reports of several studies. It has what each says, what was measured,
 * and where both agree. It is written anew before and after each study, so that there is
 * one also after a run that was killed.
 */
public final class StudiesReport {

	static final String NAME = "index.md";

	private final Path directory;

	private final List<Part> parts = new ArrayList<>();

	/**
	 * A page without a study.
	 * @param directory where it goes, above the directories of the suites
	 * @throws BenchFailure if there is the page of another run
	 */
	public StudiesReport(Path directory) {
		this.directory = directory;
		if (Files.exists(file())) {
			throw new BenchFailure("--out " + directory + " has the results of another run; choose another directory.");
		}
	}

	/**
	 * The page.
	 * @return its file
	 */
	public Path file() {
		return this.directory.resolve(NAME);
	}

	/**
	 * Adds a suite that is run next, and writes the page.
	 * @param suite the suite, whose report will be in the directory of its name
	 */
	public void begin(Suite suite) {
		this.parts.add(
				new Part(suite, null, "It was not measured to the end. What was measured is in " + suite.name() + "."));
		write();
	}

	/**
	 * Adds what was measured of the suite that began last, and writes the page.
	 * @param results what was measured
	 */
	public void end(RunResults results) {
		this.parts.add(new Part(this.parts.removeLast().suite(), results, null));
		write();
	}

	/**
	 * Adds why the suite that began last could not be run, and writes the page.
	 * @param failure why
	 */
	public void fail(String failure) {
		this.parts.add(new Part(this.parts.removeLast().suite(), null, "It could not be run: " + failure));
		write();
	}

	private void write() {
		try {
			Files.createDirectories(this.directory);
			Files.writeString(file(), render());
		}
		catch (IOException ex) {
			throw new BenchFailure("The page over all studies can't be written to " + file() + ": " + ex.getMessage(),
					ex);
		}
	}

	private String render() {
		StringBuilder text = new StringBuilder("""
				# Published comparisons, measured again

				Both columns of figures are ratios of the two variants that a sentence is about. Brackets hold the 95 %
				confidence interval.
				""");
		this.parts.forEach((part) -> part.append(text));
		return text.toString();
	}

	/**
	 * What is known of a study.
	 *
	 * @param suite the study's suite
	 * @param results what was measured, {@code null} if nothing is known yet
	 * @param failure why there are no results
	 */
	private record Part(Suite suite, @Nullable RunResults results, @Nullable String failure) {

		void append(StringBuilder text) {
			text.append("\n## ").append(MarkdownReport.escape(this.suite.title())).append("\n\n");
			Study study = this.suite.study();
			if (study != null) {
				text.append(MarkdownReport.escape(study.source())).append("\n\n");
			}
			if (this.failure != null) {
				text.append(MarkdownReport.escape(this.failure)).append('\n');
			}
			if (this.results != null) {
				Table claims = Claims.table(this.results);
				text.append(claims.isEmpty() ? "The study has no figures for these scenarios.\n" : claims.toMarkdown())
					.append("\n[The whole report](")
					.append(this.suite.name())
					.append("/report.html)\n");
			}
		}

	}

}
