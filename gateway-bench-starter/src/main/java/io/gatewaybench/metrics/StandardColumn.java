package io.gatewaybench.metrics;

import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Function;

/**
 * The columns that every CSV file has, in their order: first those of the published
 * measurement P1 under their published names, then ours. A cell is empty when there is
 * nothing to tell: a figure that this JVM doesn't give, a duration when there was no
 * request. "Delta" and "Interval" columns count from the row before in the file (the
 * first row: from the start of the JVM and of the gateway's metrics), so each of them
 * adds up to its total, even when rows were lost to a full disk. Everything else is a
 * total since the start, or the state at the moment of the row.
 */
enum StandardColumn {

	/**
	 * When the row was taken: ISO 8601 with milliseconds and offset, in the time zone of
	 * the gateway.
	 */
	TIMESTAMP("Timestamp", (row) -> Format.TIMESTAMP.format(row.time())),

	/** Heap in use, in MB of 1,048,576 bytes like the other sizes. */
	HEAP_USED("HeapUsedMB", (row) -> Format.megabytes(row.jvm().heapUsed())),

	/** Limit of the heap. */
	HEAP_MAX("HeapMaxMB", (row) -> Format.megabytes(row.jvm().heapMax())),

	/** Heap granted by the system. */
	HEAP_COMMITTED("HeapCommittedMB", (row) -> Format.megabytes(row.jvm().heapCommitted())),

	/** Memory of the JVM outside the heap: class metadata, compiled code. */
	NON_HEAP_USED("NonHeapUsedMB", (row) -> Format.megabytes(row.jvm().nonHeapUsed())),

	/** Live platform threads. */
	THREADS("ThreadCount", (row) -> Format.integer(row.jvm().threads())),

	/** Highest number of live platform threads since the start of the JVM. */
	PEAK_THREADS("PeakThreadCount", (row) -> Format.integer(row.jvm().peakThreads())),

	/** Live platform threads that are daemons. */
	DAEMON_THREADS("DaemonThreadCount", (row) -> Format.integer(row.jvm().daemonThreads())),

	/** Platform threads started since the start of the JVM. */
	STARTED_THREADS("TotalStartedThreadCount", (row) -> Format.integer(row.jvm().startedThreads())),

	/** Garbage collections since the start of the JVM, of all collectors. */
	GC_COUNT("TotalGCCount", (row) -> Format.integer(row.jvm().gcCount())),

	/**
	 * Milliseconds of garbage collection since the start of the JVM, as the collectors
	 * report it; concurrent ones include time in which the application ran.
	 */
	GC_MILLIS("TotalGCTimeMs", (row) -> Format.integer(row.jvm().gcMillis())),

	/** Garbage collections since the row before. */
	GC_COUNT_DELTA("GCCountDelta", (row) -> Format.integer(row.jvm().gcCount() - row.previousJvm().gcCount())),

	/** Milliseconds of garbage collection since the row before. */
	GC_MILLIS_DELTA("GCTimeDeltaMs", (row) -> Format.integer(row.jvm().gcMillis() - row.previousJvm().gcMillis())),

	/** Load average of the system over the last minute. */
	SYSTEM_LOAD("CPULoad", (row) -> Format.decimal(2, row.jvm().systemLoad())),

	/** Processors available to the JVM. */
	PROCESSORS("AvailableProcessors", (row) -> Format.integer(row.jvm().processors())),

	/** Requests since the start, however they ended. */
	REQUESTS("TotalRequests", (row) -> Format.integer(row.requests().requests())),

	/** Requests since the start that completed with a status below 400. */
	SUCCESSES("SuccessCount", (row) -> Format.integer(row.requests().successes())),

	/** All other requests since the start, those without a response included. */
	ERRORS("ErrorCount", (row) -> Format.integer(row.requests().requests() - row.requests().successes())),

	/**
	 * Mean duration of all requests since the start, in milliseconds, aborted ones
	 * included.
	 */
	AVERAGE("AvgResponseTimeMs",
			(row) -> Format.millis((row.requests().requests() > 0)
					? (double) row.requests().totalNanos() / row.requests().requests() : -1)),

	/** Shortest duration since the start, in milliseconds. */
	MIN("MinResponseTimeMs", (row) -> Format.millis((row.requests().requests() > 0) ? row.requests().minNanos() : -1)),

	/** Longest duration since the start, in milliseconds. */
	MAX("MaxResponseTimeMs", (row) -> Format.millis((row.requests().requests() > 0) ? row.requests().maxNanos() : -1)),

	/** 2xx responses since the start, completed or not. */
	STATUS_2XX("Status2xx", (row) -> Format.integer(row.requests().status2xx())),

	/** 3xx responses since the start, completed or not. */
	STATUS_3XX("Status3xx", (row) -> Format.integer(row.requests().status3xx())),

	/** 4xx responses since the start, completed or not. */
	STATUS_4XX("Status4xx", (row) -> Format.integer(row.requests().status4xx())),

	/** 5xx responses since the start, completed or not. */
	STATUS_5XX("Status5xx", (row) -> Format.integer(row.requests().status5xx())),

	/** Requests since the row before. */
	INTERVAL_REQUESTS("IntervalRequests",
			(row) -> Format.integer(row.requests().requests() - row.previousRequests().requests())),

	/**
	 * Median duration of the requests since the row before, in milliseconds, 0.8 %
	 * accurate.
	 */
	INTERVAL_P50("IntervalP50Ms", (row) -> Format.millis(row.intervalPercentile(50))),

	/**
	 * 99th percentile of the durations since the row before, in milliseconds, 0.8 %
	 * accurate.
	 */
	INTERVAL_P99("IntervalP99Ms", (row) -> Format.millis(row.intervalPercentile(99))),

	/** Share of the available processors that the process used since the row before. */
	PROCESS_CPU_LOAD("ProcessCpuLoad", (row) -> Format.decimal(4, row.processCpuLoad())),

	/** CPU time of the process since its start, in milliseconds. */
	PROCESS_CPU_MILLIS("ProcessCpuTimeMs", (row) -> Format.millis(row.jvm().cpuNanos())),

	/** Carrier threads that the scheduler of the virtual threads aims at (JDK 24+). */
	VIRTUAL_PARALLELISM("VtParallelism", (row) -> Format.integer(row.jvm().virtualParallelism())),

	/** Carrier threads that it has (JDK 24+). */
	VIRTUAL_POOL_SIZE("VtPoolSize", (row) -> Format.integer(row.jvm().virtualPoolSize())),

	/** Virtual threads on a carrier (JDK 24+). */
	VIRTUAL_MOUNTED("VtMounted", (row) -> Format.integer(row.jvm().virtualMounted())),

	/** Virtual threads that wait for a carrier (JDK 24+). */
	VIRTUAL_QUEUED("VtQueued", (row) -> Format.integer(row.jvm().virtualQueued()));

	private final String title;

	private final Function<CsvRow, String> cell;

	StandardColumn(String title, Function<CsvRow, String> cell) {
		this.title = title;
		this.cell = cell;
	}

	String title() {
		return this.title;
	}

	String cell(CsvRow row) {
		return this.cell.apply(row);
	}

	/**
	 * Numbers that every locale reads alike, and nothing for negative ones, which stand
	 * for an unknown figure.
	 */
	private static final class Format {

		static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSxxx",
				Locale.ROOT);

		static String integer(long value) {
			return (value >= 0) ? Long.toString(value) : "";
		}

		static String decimal(int digits, double value) {
			return (value >= 0) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "";
		}

		static String megabytes(long bytes) {
			return decimal(2, bytes / 1048576.0);
		}

		static String millis(double nanos) {
			return decimal(3, nanos / 1e6);
		}

	}

}
