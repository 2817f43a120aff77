package io.gatewaybench.internal.metrics;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.gatewaybench.metrics.CsvColumn;

/**
 * Where the CSV file is written, how often a row is added to it, and what is in the row.
 *
 * @param directory directory of the file, created when it is absent
 * @param interval time between two rows, positive
 * @param columns columns to add after those that every file has
 */
public record CsvSettings(Path directory, Duration interval, List<CsvColumn> columns) {

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException if the interval is zero or negative, or two
	 * columns have the same title
	 */
	public CsvSettings {
		if (interval.isZero() || interval.isNegative()) {
			throw new IllegalArgumentException("must be positive but was " + interval);
		}
		columns = List.copyOf(columns);
		Set<String> titles = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		Arrays.stream(StandardColumn.values()).map(StandardColumn::title).forEach(titles::add);
		for (CsvColumn column : columns) {
			if (!titles.add(column.title())) {
				throw new IllegalArgumentException("the CSV file has a column '" + column.title()
						+ "' already; choose another title for the bean of type CsvColumn");
			}
		}
	}

}
