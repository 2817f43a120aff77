package io.gatewaybench.internal.metrics;

import java.time.format.DateTimeFormatter;
import java.util.Locale;

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
	TIMESTAMP("Timestamp"),

	/** Heap in use, in MB of 1,048,576 bytes like the other sizes. */
	HEAP_USED("HeapUsedMB"),

	/** Limit of the heap. */
	HEAP_MAX("HeapMaxMB"),

	/** Heap granted by the system. */
	HEAP_COMMITTED("HeapCommittedMB"),

	/** Memory of the JVM outside the heap: class metadata, compiled code. */
	NON_HEAP_USED("NonHeapUsedMB"),

	/** Live platform threads. */
	THREADS("ThreadCount"),

	/** Highest number of live platform threads since the start of the JVM. */
	PEAK_THREADS("PeakThreadCount"),

	/** Live platform threads that are daemons. */
	DAEMON_THREADS("DaemonThreadCount"),

	/** Platform threads started since the start of the JVM. */
	STARTED_THREADS("TotalStartedThreadCount"),

	/** Garbage collections since the start of the JVM, of all collectors. */
	GC_COUNT("TotalGCCount"),

	/**
	 * Milliseconds of garbage collection since the start of the JVM, as the collectors
	 * report it; concurrent ones include time in which the application ran.
	 */
	GC_MILLIS("TotalGCTimeMs"),

	/** Garbage collections since the row before. */
	GC_COUNT_DELTA("GCCountDelta"),

	/** Milliseconds of garbage collection since the row before. */
	GC_MILLIS_DELTA("GCTimeDeltaMs"),

	/** Load average of the system over the last minute. */
	SYSTEM_LOAD("CPULoad"),

	/** Processors available to the JVM. */
	PROCESSORS("AvailableProcessors"),

	/** Requests since the start, however they ended. */
	REQUESTS("TotalRequests"),

	/** Requests since the start that completed with a status below 400. */
	SUCCESSES("SuccessCount"),

	/** All other requests since the start, those without a response included. */
	ERRORS("ErrorCount"),

	/**
	 * Mean duration of all requests since the start, in milliseconds, aborted ones
	 * included.
	 */
	AVERAGE("AvgResponseTimeMs"),

	/** Shortest duration since the start, in milliseconds. */
	MIN("MinResponseTimeMs"),

	/** Longest duration since the start, in milliseconds. */
	MAX("MaxResponseTimeMs"),

	/** 2xx responses since the start, completed or not. */
	STATUS_2XX("Status2xx"),

	/** 3xx responses since the start, completed or not. */
	STATUS_3XX("Status3xx"),

	/** 4xx responses since the start, completed or not. */
	STATUS_4XX("Status4xx"),

	/** 5xx responses since the start, completed or not. */
	STATUS_5XX("Status5xx"),

	/** Requests since the row before. */
	INTERVAL_REQUESTS("IntervalRequests"),

	/**
	 * Median duration of the requests since the row before, in milliseconds, 0.8 %
	 * accurate.
	 */
	INTERVAL_P50("IntervalP50Ms"),

	/**
	 * 99th percentile of the durations since the row before, in milliseconds, 0.8 %
	 * accurate.
	 */
	INTERVAL_P99("IntervalP99Ms"),

	/** Share of the available processors that the process used since the row before. */
	PROCESS_CPU_LOAD("ProcessCpuLoad"),

	/** CPU time of the process since its start, in milliseconds. */
	PROCESS_CPU_MILLIS("ProcessCpuTimeMs"),

	/** Carrier threads that the scheduler of the virtual threads aims at (JDK 24+). */
	VIRTUAL_PARALLELISM("VtParallelism"),

	/** Carrier threads that it has (JDK 24+). */
	VIRTUAL_POOL_SIZE("VtPoolSize"),

	/** Virtual threads on a carrier (JDK 24+). */
	VIRTUAL_MOUNTED("VtMounted"),

	/** Virtual threads that wait for a carrier (JDK 24+). */
	VIRTUAL_QUEUED("VtQueued");

	private final String title;

	StandardColumn(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	// A lambda in each constant would be a class to define at start, 34 in all
	String cell(CsvRow row) {
		JvmSample jvm = row.jvm();
		RequestCounters.Totals requests = row.requests();
		return switch (this) {
			case TIMESTAMP -> Format.TIMESTAMP.format(row.time());
			case HEAP_USED -> Format.megabytes(jvm.heapUsed());
			case HEAP_MAX -> Format.megabytes(jvm.heapMax());
			case HEAP_COMMITTED -> Format.megabytes(jvm.heapCommitted());
			case NON_HEAP_USED -> Format.megabytes(jvm.nonHeapUsed());
			case THREADS -> Format.integer(jvm.threads());
			case PEAK_THREADS -> Format.integer(jvm.peakThreads());
			case DAEMON_THREADS -> Format.integer(jvm.daemonThreads());
			case STARTED_THREADS -> Format.integer(jvm.startedThreads());
			case GC_COUNT -> Format.integer(jvm.gcCount());
			case GC_MILLIS -> Format.integer(jvm.gcMillis());
			case GC_COUNT_DELTA -> Format.integer(jvm.gcCount() - row.previousJvm().gcCount());
			case GC_MILLIS_DELTA -> Format.integer(jvm.gcMillis() - row.previousJvm().gcMillis());
			case SYSTEM_LOAD -> Format.decimal(2, jvm.systemLoad());
			case PROCESSORS -> Format.integer(jvm.processors());
			case REQUESTS -> Format.integer(requests.requests());
			case SUCCESSES -> Format.integer(requests.successes());
			case ERRORS -> Format.integer(requests.requests() - requests.successes());
			case AVERAGE ->
				Format.millis((requests.requests() > 0) ? (double) requests.totalNanos() / requests.requests() : -1);
			case MIN -> Format.millis((requests.requests() > 0) ? requests.minNanos() : -1);
			case MAX -> Format.millis((requests.requests() > 0) ? requests.maxNanos() : -1);
			case STATUS_2XX -> Format.integer(requests.status2xx());
			case STATUS_3XX -> Format.integer(requests.status3xx());
			case STATUS_4XX -> Format.integer(requests.status4xx());
			case STATUS_5XX -> Format.integer(requests.status5xx());
			case INTERVAL_REQUESTS -> Format.integer(requests.requests() - row.previousRequests().requests());
			case INTERVAL_P50 -> Format.millis(row.intervalPercentile(50));
			case INTERVAL_P99 -> Format.millis(row.intervalPercentile(99));
			case PROCESS_CPU_LOAD -> Format.decimal(4, row.processCpuLoad());
			case PROCESS_CPU_MILLIS -> Format.millis(jvm.cpuNanos());
			case VIRTUAL_PARALLELISM -> Format.integer(jvm.virtualParallelism());
			case VIRTUAL_POOL_SIZE -> Format.integer(jvm.virtualPoolSize());
			case VIRTUAL_MOUNTED -> Format.integer(jvm.virtualMounted());
			case VIRTUAL_QUEUED -> Format.integer(jvm.virtualQueued());
		};
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
