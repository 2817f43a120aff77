package io.gatewaybench.benchmark.report;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The data of a chart, which the script of the page draws and hands out as CSV.
 *
 * @param id what the script knows it by
 * @param caption what it shows
 * @param howToRead how to read it, in two sentences or three
 * @param columns names of the columns, with units
 * @param rows text and numbers
 * @param words what some numbers stand for; none unless texts occur so often that their
 * numbers take less
 */
record Chart(String id, String caption, String howToRead, List<String> columns, List<List<@Nullable Object>> rows,
		List<String> words) {
}
