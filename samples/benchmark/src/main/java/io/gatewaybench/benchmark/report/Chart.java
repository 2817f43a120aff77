package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
	 * What the script gets, which is most of a page with charts. So a row has indexes in
	 * place of texts, and leaves out the values with which the row before begins. Figures
	 * have more digits than a chart shows, and no more.
	 *
	 * @param id what the script knows it by
	 * @param columns names of the columns
	 * @param texts the columns with text in a row at least; all that they have is in
	 * {@code words}
	 * @param words the texts
	 * @param rows numbers, and indexes of words
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
			List<@Nullable Object> before = List.of();
			for (List<@Nullable Object> row : chart.rows) {
				List<@Nullable Object> encoded = new ArrayList<>(row);
				encoded.replaceAll(Encoded::rounded);
				for (int column : texts) {
					Object word = row.get(column);
					if (word != null) {
						encoded.set(column, words.computeIfAbsent(word, (any) -> words.size()));
					}
				}
				int other = Arrays.mismatch(encoded.toArray(), before.toArray());
				int last = encoded.size() - 1;
				rows.add(encoded.subList((other < 0) ? last : Math.min(other, last), encoded.size()));
				before = encoded;
			}
			return new Encoded(chart.id, chart.columns, texts, List.copyOf(words.keySet()), rows);
		}

		private static @Nullable Object rounded(@Nullable Object value) {
			return (value instanceof Double number && Double.isFinite(number))
					? (Object) Double.valueOf(String.format(Locale.ROOT, "%.6g", number)) : value;
		}

	}

}
