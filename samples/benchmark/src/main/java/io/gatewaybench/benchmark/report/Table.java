package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A part of the report as plain text under one heading; each output escapes and aligns it
 * in its own way. Without columns it is a list of sentences.
 *
 * @param caption what it shows
 * @param note what a reader needs to know of it, in sentences; empty for nothing
 * @param head the headings of the columns, none for sentences
 * @param rows the cells. What stands in parentheses behind a figure, such as its
 * interval, is less important than the figure
 */
record Table(String caption, String note, List<String> head, List<List<String>> rows) {

	private static final Pattern FIGURE = Pattern.compile("[\\d≥–].*|n/a|");

	static Table ofSentences(String caption, List<String> sentences) {
		return new Table(caption, "", List.of(), sentences.stream().map(List::of).toList());
	}

	List<String> sentences() {
		return this.rows.stream().map(List::getFirst).toList();
	}

	boolean isEmpty() {
		return this.rows.isEmpty();
	}

	/**
	 * Whether a column has words, which stand on the left, or figures.
	 */
	boolean isText(int column) {
		return column == 0 || this.rows.stream().anyMatch((row) -> !FIGURE.matcher(row.get(column)).matches());
	}

	/**
	 * The columns padded to the same width, for a terminal.
	 */
	String toText() {
		List<List<String>> lines = new ArrayList<>(this.rows);
		lines.addFirst(this.head);
		String format = IntStream.range(0, this.head.size()).mapToObj((column) -> {
			int width = lines.stream().mapToInt((line) -> line.get(column).length()).max().orElseThrow();
			return "%" + (isText(column) ? "-" : "") + Math.max(1, width) + "s";
		}).collect(Collectors.joining("  ", "", "\n"));
		return this.caption + "\n"
				+ lines.stream().map((line) -> format.formatted(line.toArray())).collect(Collectors.joining());
	}

	/**
	 * A table or a list of GitHub's Markdown.
	 */
	String toMarkdown() {
		if (this.head.isEmpty()) {
			return MarkdownReport.list(sentences());
		}
		StringBuilder text = new StringBuilder(line(this.head)).append('|');
		for (int column = 0; column < this.head.size(); column++) {
			text.append(isText(column) ? " --- |" : " ---: |");
		}
		text.append('\n');
		this.rows.forEach((row) -> text.append(line(row)));
		return text.toString();
	}

	private static String line(List<String> cells) {
		return cells.stream().map(MarkdownReport::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
	}

}
