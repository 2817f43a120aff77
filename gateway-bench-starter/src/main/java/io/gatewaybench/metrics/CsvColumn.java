package io.gatewaybench.metrics;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A column that the application adds to the CSV file: a figure as of the moment of each
 * row. Beans of this type come after the other columns, in their order. Only numbers can
 * be told, so that no cell is a formula or needs quotes.
 *
 * @param title title of the column: a letter, and up to 63 letters, digits and
 * underscores
 * @param value tells the figure, once for each row, in the thread that writes the file.
 * It must not block that thread. The cell stays empty where the figure is {@code null} or
 * not finite, or an exception is thrown, which is logged once
 * @since 0.1.0
 */
public record CsvColumn(String title, Supplier<? extends @Nullable Number> value) {

	private static final Pattern TITLE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");

	/**
	 * Checks the title.
	 * @throws IllegalArgumentException if it has other characters, or is too long
	 */
	public CsvColumn {
		if (!TITLE.matcher(title).matches()) {
			throw new IllegalArgumentException("the title of a column of the CSV file is a letter and up to 63 letters,"
					+ " digits and underscores, but was '" + title.replaceAll("\\p{Cntrl}", "?") + "'");
		}
	}

}
