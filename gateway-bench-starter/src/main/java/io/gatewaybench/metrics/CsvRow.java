package io.gatewaybench.metrics;

import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.stream.Collectors;

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
	 * @return the line
	 */
	String line() {
		return Arrays.stream(CsvColumn.values())
			.map((column) -> column.cell(this))
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
