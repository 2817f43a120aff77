package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rows of plain text under one heading; each output escapes and aligns them in its own
 * way. The first column is text, the others are figures.
 *
 * @param caption what the table shows
 * @param head the headings of the columns
 * @param rows the cells
 */
record Table(String caption, List<String> head, List<List<String>> rows) implements Section {

	Table {
		head = List.copyOf(head);
		rows = List.copyOf(rows);
	}

	static Table of(String caption, List<String> head, Consumer<Consumer<List<String>>> filler) {
		List<List<String>> rows = new ArrayList<>();
		filler.accept(rows::add);
		return new Table(caption, head, rows);
	}

	@Override
	public boolean isEmpty() {
		return this.rows.isEmpty();
	}

	/**
	 * The columns padded to the same width, for a terminal.
	 */
	String toText() {
		int[] widths = new int[this.head.size()];
		List<List<String>> lines = new ArrayList<>();
		lines.add(this.head);
		lines.addAll(this.rows);
		for (List<String> line : lines) {
			for (int column = 0; column < widths.length; column++) {
				widths[column] = Math.max(widths[column], line.get(column).length());
			}
		}
		StringBuilder text = new StringBuilder(this.caption).append('\n');
		for (List<String> line : lines) {
			for (int column = 0; column < widths.length; column++) {
				String padding = " ".repeat(widths[column] - line.get(column).length());
				text.append((column == 0) ? line.get(column) + padding : "  " + padding + line.get(column));
			}
			text.append('\n');
		}
		return text.toString();
	}

	/**
	 * A table of GitHub's Markdown.
	 */
	String toMarkdown() {
		StringBuilder text = new StringBuilder();
		appendMarkdown(text, this.head);
		text.append('|');
		for (int column = 0; column < this.head.size(); column++) {
			text.append((column == 0) ? "---|" : "---:|");
		}
		text.append('\n');
		this.rows.forEach((row) -> appendMarkdown(text, row));
		return text.toString();
	}

	private static void appendMarkdown(StringBuilder text, List<String> cells) {
		text.append('|');
		cells.forEach((cell) -> text.append(' ').append(MarkdownReport.escape(cell)).append(" |"));
		text.append('\n');
	}

}
