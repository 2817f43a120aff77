package io.gatewaybench.metrics;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where the CSV file is written, and how often a row is added to it.
 *
 * @param directory directory of the file, created when it is absent
 * @param interval time between two rows, positive
 * @since 0.1.0
 */
public record CsvSettings(Path directory, Duration interval) {

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException if the interval is zero or negative
	 */
	public CsvSettings {
		if (interval.isZero() || interval.isNegative()) {
			throw new IllegalArgumentException("must be positive but was " + interval);
		}
	}

}
