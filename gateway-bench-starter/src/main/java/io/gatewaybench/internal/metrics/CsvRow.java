package io.gatewaybench.internal.metrics;

import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.metrics.CsvColumn;

/**
 * What a row of the CSV file is made of.
 *
 * @param time when the row was taken
 * @param requests all requests since the start
 * @param jvm state of the JVM
 * @param previousRequests all requests as of the row before in the file
 * @param previousJvm state of the JVM as of the row before in the file
 */
record CsvRow(OffsetDateTime time, RequestCounters.Totals requests, JvmSample jvm,
		RequestCounters.Totals previousRequests, JvmSample previousJvm) {

	/**
	 * Returns the row as a line of the file, with its line end.
	 * @param added cells of the columns that the application has added
	 * @return the line
	 */
	String line(Stream<String> added) {
		return line((column) -> column.cell(this), added);
	}

	/**
	 * Returns the first line of the file, with its line end.
	 * @param added the columns that the application has added
	 * @return the line
	 */
	static String header(List<CsvColumn> added) {
		return line(StandardColumn::title, added.stream().map(CsvColumn::title));
	}

	private static String line(Function<StandardColumn, String> cell, Stream<String> added) {
		return Stream.concat(Arrays.stream(StandardColumn.values()).map(cell), added)
			.collect(Collectors.joining(",", "", "\n"));
	}

	/**
	 * Returns the share of the processors that the process has used since the row before.
	 * @return the share, from 0 to 1; negative when the JVM doesn't know
	 */
	double processCpuLoad() {
		double available = (this.jvm.uptimeMillis() - this.previousJvm.uptimeMillis()) * 1e6 * this.jvm.processors();
		return (this.jvm.cpuNanos() < 0 || available <= 0) ? -1
				: Math.min(1, (this.jvm.cpuNanos() - this.previousJvm.cpuNanos()) / available);
	}

	/**
	 * Returns a percentile of the durations since the row before.
	 * @param percentile the percentile, in percent
	 * @return the duration in nanoseconds; negative when there was no request
	 */
	long intervalPercentile(double percentile) {
		return this.requests.durations().percentileSince(this.previousRequests.durations(), percentile);
	}

}
