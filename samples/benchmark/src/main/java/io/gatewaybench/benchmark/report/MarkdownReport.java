package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The report as Markdown, for a pull request or a wiki.
 */
final class MarkdownReport {

	private MarkdownReport() {
	}

	static String render(Findings findings) {
		Answer answer = Answer.of(findings.results());
		StringBuilder text = new StringBuilder("# ").append(escape(findings.results().title()));
		text.append("\n\n## Answer\n\n").append(list(answer.sentences()));
		Table table = answer.table();
		if (!table.isEmpty()) {
			text.append('\n').append(table.toMarkdown()).append('\n');
			text.append(escape(table.caption() + ". " + table.note())).append('\n');
		}
		text.append("\n## How sure\n\n").append(list(answer.howSure()));
		if (!answer.next().isEmpty()) {
			text.append("\n## What next\n\n").append(list(answer.next()));
		}
		text.append('\n').append(escape(findings.context())).append("\n\n");
		findings.all().forEach((each) -> text.append(section(each)));
		return text.toString();
	}

	static String list(List<String> sentences) {
		return sentences.stream().map((each) -> "- " + escape(each) + "\n").collect(Collectors.joining());
	}

	static String section(Table table) {
		String note = table.note().isEmpty() ? "" : escape(table.note()) + "\n\n";
		return "## " + escape(table.caption()) + "\n\n" + note + table.toMarkdown() + "\n";
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
