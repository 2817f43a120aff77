package io.gatewaybench.benchmark.report;

import java.util.List;

/**
 * The report as Markdown.
 */
final class MarkdownReport {

	private MarkdownReport() {
	}

	static String render(Findings findings, List<String> files) {
		StringBuilder text = new StringBuilder();
		text.append("# ").append(escape(findings.results().title())).append("\n\n");
		text.append("Suite `")
			.append(findings.results().suite())
			.append("`.")
			.append(escape(findings.published()))
			.append("\n\n");
		findings.warnings().forEach((warning) -> text.append("> **").append(escape(warning)).append("**\n\n"));
		section(text, findings.summary());
		text.append(escape(findings.method().certainty())).append("\n\n");
		section(text, findings.ratios());
		section(text, findings.compared());
		section(text, findings.cost());
		section(text, findings.others());
		section(text, findings.warmups());
		section(text, findings.measured());
		text.append("## Errors\n\n");
		list(text, findings.errors().isEmpty() ? List.of("None: " + findings.noErrors()) : findings.errors());
		section(text, findings.types());
		text.append("## How to read this\n\n");
		list(text, findings.method().sentences());
		section(text, findings.environment());
		text.append("## Files\n\n");
		files.forEach((file) -> text.append("- [")
			.append(escape(file))
			.append("](")
			.append(RelativeLink.to(file))
			.append(")\n"));
		return text.toString();
	}

	private static void section(StringBuilder text, Table table) {
		if (!table.isEmpty()) {
			text.append("## ").append(escape(table.caption())).append("\n\n").append(table.toMarkdown()).append('\n');
		}
	}

	private static void list(StringBuilder text, List<String> items) {
		items.forEach((item) -> text.append("- ").append(escape(item)).append('\n'));
		text.append('\n');
	}

	/**
	 * Text that Markdown shows as it is, also within a table.
	 */
	static String escape(String text) {
		StringBuilder escaped = new StringBuilder(text.length());
		text.chars().forEach((character) -> {
			switch (character) {
				case '\n', '\r' -> escaped.append(' ');
				case '<' -> escaped.append("&lt;");
				case '&' -> escaped.append("&amp;");
				case '\\', '|', '*', '_', '`', '[', ']', '#' -> escaped.append('\\').append((char) character);
				default -> escaped.append((char) character);
			}
		});
		return escaped.toString();
	}

}
