package io.gatewaybench.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A ratio with its interval that stands beside a link to a report is one that the report
 * has.
 */
class DocumentedFiguresTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern REPORT = Pattern.compile("public/reports/([a-z-]+)\\.html");

	private static final Pattern RATIO = Pattern.compile("(\\d+\\.\\d+) \\((\\d+\\.\\d+–\\d+\\.\\d+)\\)");

	@Test
	void everyRatioBesideALinkToAReportIsInThatReport() throws IOException {
		int checked = 0;
		for (Path document : documents()) {
			for (String line : Files.readAllLines(document)) {
				List<String> reports = REPORT.matcher(line).results().map((match) -> match.group(1)).toList();
				if (reports.isEmpty()) {
					continue;
				}
				StringBuilder text = new StringBuilder();
				for (String report : reports) {
					text.append(Files.readString(ROOT.resolve("docs/public/reports/" + report + ".md")));
				}
				for (MatchResult ratio : (Iterable<MatchResult>) RATIO.matcher(line).results()::iterator) {
					assertThat(text).as("%s: %s", document, line)
						.containsPattern(Pattern.quote(ratio.group(1)) + "[ ,(]+" + Pattern.quote(ratio.group(2)));
					checked++;
				}
			}
		}
		assertThat(checked).isPositive();
	}

	private static List<Path> documents() throws IOException {
		List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("README.zh-CN.md")));
		try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
			files.filter((file) -> file.toString().endsWith(".md"))
				.filter((file) -> !file.toString().contains("node_modules"))
				.forEach(documents::add);
		}
		return documents;
	}

}
