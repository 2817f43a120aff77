package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The data of a chart, which the script of the page draws and hands out as CSV.
 *
 * @param id what the script knows it by
 * @param caption what it shows
 * @param howToRead how to read it, in two sentences or three
 * @param columns names of the columns, with units
 * @param rows text and numbers
 */
record Chart(String id, String caption, String howToRead, List<String> columns, List<List<@Nullable Object>> rows) {

	static Chart of(String id, String caption, String howToRead, List<String> columns, Consumer<Rows> filler) {
		List<List<@Nullable Object>> rows = new ArrayList<>();
		filler.accept((values) -> rows.add(Arrays.asList(values)));
		return new Chart(id, caption, howToRead, columns, rows);
	}

	/**
	 * What takes the rows of a chart.
	 */
	interface Rows {

		void add(@Nullable Object... values);

	}

	/**
	 * What the script gets. A text occurs in many rows, so they have its index.
	 *
	 * @param id what the script knows it by
	 * @param columns names of the columns
	 * @param texts the columns with text in a row at least; all that they have is in
	 * {@code words}
	 * @param words the texts
	 * @param rows numbers, and indexes of texts
	 */
	record Encoded(String id, List<String> columns, List<Integer> texts, List<Object> words,
			List<List<@Nullable Object>> rows) {

		static Encoded of(Chart chart) {
			List<Integer> texts = IntStream.range(0, chart.columns.size())
				.filter((column) -> chart.rows.stream().anyMatch((row) -> row.get(column) instanceof String))
				.boxed()
				.toList();
			Map<Object, Integer> words = new LinkedHashMap<>();
			List<List<@Nullable Object>> rows = new ArrayList<>();
			for (List<@Nullable Object> row : chart.rows) {
				List<@Nullable Object> encoded = new ArrayList<>(row);
				for (int column : texts) {
					Object word = row.get(column);
					if (word != null) {
						encoded.set(column, words.computeIfAbsent(word, (any) -> words.size()));
					}
				}
				rows.add(encoded);
			}
			return new Encoded(chart.id, chart.columns, texts, List.copyOf(words.keySet()), rows);
		}

	}

}
