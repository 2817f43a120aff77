package io.gatewaybench.internal.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.LastingTask;
import io.gatewaybench.metrics.GatewayMetrics;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts requests in memory while a thread of its own writes the counts to a CSV file.
 */
public final class CsvMetrics implements GatewayMetrics {

	static final String THREAD_NAME = "gateway-bench-metrics";

	private static final Log logger = LogFactory.getLog(CsvMetrics.class);

	private static final long CLOSE_TIMEOUT_MILLIS = 1000;

	private final CountDownLatch closed = new CountDownLatch(1);

	private final RequestCounters counters;

	private final CsvReporter reporter;

	private final long intervalNanos;

	private final Thread thread;

	private CsvMetrics(RequestCounters counters, CsvReporter reporter, Duration interval) {
		this.counters = counters;
		this.reporter = reporter;
		// Unlike Duration.toNanos, this has an answer for 300 years too
		this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
		this.thread = new Thread(this::run, THREAD_NAME);
		this.thread.setDaemon(true);
	}

	/**
	 * Returns metrics that keep their counters in memory. A daemon thread, which this
	 * method starts, writes them to a CSV file: a row per interval, and a last one on
	 * {@link #close()}. The request methods never wait for the file, and neither this
	 * method nor they fail when it can't be written: that is logged, and tried again
	 * every interval.
	 * @param settings where to write, and how often
	 * @param flavour flavour of the gateway, for the name of the file
	 * @return the metrics
	 */
	public static GatewayMetrics start(CsvSettings settings, Flavour flavour) {
		return start(settings, flavour, CsvFile.Opener.DISK);
	}

	static GatewayMetrics start(CsvSettings settings, Flavour flavour, CsvFile.Opener opener) {
		Clock clock = Clock.systemDefaultZone();
		RequestCounters counters = new RequestCounters();
		CsvFile file = new CsvFile(settings.directory(), flavour, ZonedDateTime.now(clock),
				CsvRow.header(settings.columns()), opener);
		CsvReporter reporter = new CsvReporter(file, counters, settings, clock, JvmSample::take);
		CsvMetrics metrics = new CsvMetrics(counters, reporter, settings.interval());
		metrics.thread.start();
		return metrics;
	}

	@Override
	public void request(String route, int status, boolean completed, long durationNanos) {
		this.counters.record(status, completed, durationNanos);
	}

	@Override
	public void close() {
		this.closed.countDown();
		try {
			this.thread.join(CLOSE_TIMEOUT_MILLIS);
			if (this.thread.isAlive()) {
				logger.warn("The metrics file was not closed within " + CLOSE_TIMEOUT_MILLIS
						+ " ms; its last row may be missing");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void run() {
		LastingTask report = new LastingTask("A row of the metrics file", this.reporter::report);
		try {
			new LastingTask("The metrics file", this.reporter::start).run();
			long start = System.nanoTime();
			// Multiples of the interval: no drift, and no burst of rows after a pause
			while (!this.closed.await(this.intervalNanos - (System.nanoTime() - start) % this.intervalNanos,
					TimeUnit.NANOSECONDS)) {
				report.run();
			}
		}
		catch (InterruptedException ex) {
			// Asked to end before anyone closed this; the last row is due all the same
		}
		report.run();
		this.reporter.close();
	}

}
