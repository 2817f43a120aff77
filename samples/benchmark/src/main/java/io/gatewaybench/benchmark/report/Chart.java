package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The data of a chart, which the script of the page draws and hands out as CSV.
 *
 * @param id what the script knows it by
 * @param caption what it shows
 * @param howToRead how to read it, in two sentences or three
 * @param columns names of the columns, with units
 * @param rows text and numbers
 * @param words texts that the rows name by their index, which takes less space where a
 * text occurs many times; empty if the rows have the texts themselves
 */
record Chart(String id, String caption, String howToRead, List<String> columns, List<List<@Nullable Object>> rows,
		List<String> words) {

	static Chart of(String id, String caption, String howToRead, List<String> columns, Consumer<Rows> filler) {
		List<List<@Nullable Object>> rows = new ArrayList<>();
		filler.accept((values) -> rows.add(Arrays.asList(values)));
		return new Chart(id, caption, howToRead, columns, rows, List.of());
	}

	/**
	 * What takes the rows of a chart.
	 */
	interface Rows {

		void add(@Nullable Object... values);

	}

}
