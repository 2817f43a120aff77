package io.gatewaybench.benchmark.report;

import java.util.List;

/**
 * The report as Markdown, for a pull request or a wiki.
 */
final class MarkdownReport {

	private MarkdownReport() {
	}

	static String render(Findings findings) {
		Answer answer = findings.answer();
		StringBuilder text = new StringBuilder();
		text.append("# ").append(escape(findings.results().title())).append("\n\n## Answer\n\n");
		list(text, answer.sentences());
		if (!answer.table().isEmpty()) {
			text.append('\n')
				.append(answer.table().toMarkdown())
				.append('\n')
				.append(escape(answer.table().caption() + ". " + answer.table().note()))
				.append("\n");
		}
		text.append("\n## How sure\n\n");
		list(text, answer.howSure());
		text.append("\n## What next\n\n");
		list(text, answer.next());
		text.append('\n').append(escape(findings.context())).append("\n\n");
		if (!findings.thresholds().isEmpty()) {
			section(text, findings.thresholds());
		}
		findings.figures().forEach((section) -> section(text, section));
		findings.details().forEach((section) -> section(text, section));
		return text.toString();
	}

	static void list(StringBuilder text, List<String> sentences) {
		sentences.forEach((sentence) -> text.append("- ").append(escape(sentence)).append('\n'));
	}

	private static void section(StringBuilder text, Section section) {
		text.append("## ").append(escape(section.caption())).append("\n\n");
		text.append(section.note().isEmpty() ? "" : escape(section.note()) + "\n\n");
		switch (section) {
			case Table table -> text.append(table.toMarkdown());
			case Section.Sentences list -> list(text, list.sentences());
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
