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

	static final String NAME = "index.html";

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
		StringBuilder html = new StringBuilder("""
				<!DOCTYPE html>
				<html lang="en">
				<head>
				<meta charset="utf-8">
				<meta name="viewport" content="width=device-width, initial-scale=1">
				<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
				<title>Published comparisons, measured again</title>
				<style>
				:root { color-scheme: light dark; }
				body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
				table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top;
				padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8886; }
				</style>
				</head>
				<body>
				<h1>Published comparisons, measured again</h1>
				<p>Both columns of figures are ratios of the two variants that a sentence is about. Brackets hold the
				95 % confidence interval.</p>
				""");
		this.parts.forEach((part) -> part.append(html));
		return html.append("</body>\n</html>\n").toString();
	}

	/**
	 * A suite on the page.
	 */
	private record Part(Suite suite, @Nullable RunResults results, @Nullable String failure) {

		void append(StringBuilder html) {
			html.append("<h2>").append(HtmlReport.escape(this.suite.title())).append("</h2>\n");
			Study study = this.suite.study();
			if (study != null) {
				paragraph(html, study.source());
			}
			if (this.failure != null) {
				paragraph(html, this.failure);
			}
			if (this.results != null) {
				table(html, Claims.rows(this.results));
				html.append("<p><a href=\"")
					.append(this.suite.name())
					.append("/report.html\">The whole report</a></p>\n");
			}
		}

		private static void table(StringBuilder html, List<List<String>> rows) {
			if (rows.isEmpty()) {
				paragraph(html, "The study has no figures for these scenarios.");
				return;
			}
			html.append("<table>\n<thead>");
			row(html, "th", Claims.HEAD);
			html.append("</thead>\n<tbody>\n");
			rows.forEach((cells) -> row(html, "td", cells));
			html.append("</tbody>\n</table>\n");
		}

		private static void row(StringBuilder html, String element, List<String> cells) {
			html.append("<tr>");
			cells.forEach((cell) -> html.append('<')
				.append(element)
				.append('>')
				.append(HtmlReport.escape(cell))
				.append("</")
				.append(element)
				.append('>'));
			html.append("</tr>\n");
		}

		private static void paragraph(StringBuilder html, String text) {
			html.append("<p>").append(HtmlReport.escape(text)).append("</p>\n");
		}

	}

}
