package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.result.RunResults;

/**
 * The part of the report that fits a terminal.
 */
public final class TerminalReport {

	private static final int COLUMNS = 100;

	private TerminalReport() {
	}

	/**
	 * Renders what a run comes to.
	 * @param results the run
	 * @return lines of 100 characters at most, the last one ended
	 */
	public static String render(RunResults results) {
		Answer answer = Answer.of(results);
		StringBuilder text = new StringBuilder("\nANSWER\n");
		list(answer.sentences(), text);
		if (!answer.table().isEmpty()) {
			text.append('\n').append(table(answer.table())).append(wrapped(answer.table().note(), ""));
		}
		ThresholdReport.table(results)
			.rows()
			.forEach((row) -> text.append(
					wrapped("fail-if " + row.get(0) + ", " + row.get(1) + ": " + row.get(2) + ". " + row.get(4), "")));
		text.append("\nHOW SURE\n");
		list(answer.howSure(), text);
		if (!answer.next().isEmpty()) {
			text.append("\nWHAT NEXT\n");
			list(answer.next(), text);
		}
		return text.toString();
	}

	/**
	 * A table that is too wide has a line for each of its rows, which can be wrapped.
	 */
	private static String table(Table table) {
		String text = table.toText();
		if (text.lines().allMatch((line) -> line.length() <= COLUMNS)) {
			return text;
		}
		StringBuilder lines = new StringBuilder(table.caption()).append('\n');
		for (List<String> row : table.rows()) {
			List<String> cells = new ArrayList<>();
			for (int column = 1; column < row.size(); column++) {
				cells.add(table.head().get(column) + " " + row.get(column));
			}
			lines.append(wrapped(row.getFirst() + ": " + String.join("; ", cells), "  "));
		}
		return lines.toString();
	}

	private static void list(List<String> sentences, StringBuilder text) {
		sentences.forEach((sentence) -> text.append(wrapped("- " + sentence, "  ")));
	}

	static String wrapped(String text, String indent) {
		StringBuilder lines = new StringBuilder();
		StringBuilder line = new StringBuilder();
		for (String word : text.split(" ")) {
			if (!line.isEmpty() && line.length() + 1 + word.length() > COLUMNS) {
				lines.append(line).append('\n');
				line.setLength(0);
				line.append(indent).append(word);
			}
			else {
				line.append(line.isEmpty() ? "" : " ").append(word);
			}
		}
		return lines.append(line).append('\n').toString();
	}

}
