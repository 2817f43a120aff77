package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Rows of plain text under one heading; each output escapes and aligns them in its own
 * way.
 *
 * @param caption what the table shows
 * @param note what a reader needs to know of it, in sentences; empty for nothing
 * @param head the headings of the columns
 * @param rows the cells
 */
record Table(String caption, String note, List<String> head, List<List<Cell>> rows) implements Section {

	private static final Pattern FIGURE = Pattern.compile("[\\d≥–].*|n/a|");

	Table {
		head = List.copyOf(head);
		rows = List.copyOf(rows);
	}

	/**
	 * A table of plain cells.
	 */
	static Table of(String caption, String note, List<String> head, Consumer<Consumer<List<String>>> filler) {
		List<List<Cell>> rows = new ArrayList<>();
		filler.accept((row) -> rows.add(row.stream().map(Cell::of).toList()));
		return new Table(caption, note, head, rows);
	}

	@Override
	public boolean isEmpty() {
		return this.rows.isEmpty();
	}

	/**
	 * Whether a column has words, which stand on the left, or figures.
	 */
	boolean isText(int column) {
		return column == 0 || this.rows.stream().anyMatch((row) -> !FIGURE.matcher(row.get(column).text()).matches());
	}

	/**
	 * The rows with each cell in one line.
	 */
	List<List<String>> lines() {
		return this.rows.stream().map((row) -> row.stream().map(Cell::line).toList()).toList();
	}

	/**
	 * The columns padded to the same width, for a terminal.
	 */
	String toText() {
		StringBuilder text = new StringBuilder(this.caption).append('\n');
		padded(withHead(Function.identity())).forEach((line) -> text.append(String.join("  ", line)).append('\n'));
		return text.toString();
	}

	/**
	 * A table of GitHub's Markdown.
	 */
	String toMarkdown() {
		return markdown(withHead(MarkdownReport::escape));
	}

	private String markdown(List<List<String>> lines) {
		StringBuilder text = new StringBuilder();
		for (int index = 0; index < lines.size(); index++) {
			text.append("| ").append(String.join(" | ", lines.get(index))).append(" |\n");
			if (index == 0) {
				text.append('|');
				for (int column = 0; column < this.head.size(); column++) {
					text.append("-".repeat(lines.getFirst().get(column).length() + 1))
						.append(isText(column) ? "-|" : ":|");
				}
				text.append('\n');
			}
		}
		return text.toString();
	}

	private List<List<String>> padded(List<List<String>> lines) {
		int[] widths = new int[this.head.size()];
		for (List<String> line : lines) {
			for (int column = 0; column < widths.length; column++) {
				widths[column] = Math.max(widths[column], line.get(column).length());
			}
		}
		return lines.stream().map((line) -> {
			List<String> cells = new ArrayList<>();
			for (int column = 0; column < widths.length; column++) {
				String padding = " ".repeat(widths[column] - line.get(column).length());
				cells.add(isText(column) ? line.get(column) + padding : padding + line.get(column));
			}
			return cells;
		}).toList();
	}

	private List<List<String>> withHead(Function<String, String> escape) {
		List<List<String>> lines = new ArrayList<>();
		lines.add(this.head);
		lines.addAll(lines());
		return lines.stream().map((line) -> line.stream().map(escape).toList()).toList();
	}

}
