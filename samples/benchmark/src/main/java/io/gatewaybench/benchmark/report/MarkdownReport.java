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
		findings.headline().forEach((section) -> section(text, section));
		findings.details().forEach((section) -> section(text, section));
		text.append("## Files\n\n");
		files.forEach((file) -> text.append("- [")
			.append(escape(file))
			.append("](")
			.append(RelativeLink.to(file))
			.append(")\n"));
		return text.toString();
	}

	private static void section(StringBuilder text, Section section) {
		if (section.isEmpty()) {
			return;
		}
		if (!section.caption().isEmpty()) {
			text.append("## ").append(escape(section.caption())).append("\n\n");
		}
		switch (section) {
			case Table table -> text.append(table.toMarkdown());
			case Section.Sentences list -> list.sentences()
				.forEach((sentence) -> text.append(list.caption().isEmpty() ? "" : "- ")
					.append(escape(sentence))
					.append('\n'));
		}
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
