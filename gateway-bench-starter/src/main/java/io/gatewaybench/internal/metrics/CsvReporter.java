package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

import io.gatewaybench.metrics.CsvColumn;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to the CSV file, and logs once when that starts to fail and once when it
 * works again. Used by one thread.
 */
final class CsvReporter {

	private static final Log logger = LogFactory.getLog(CsvReporter.class);

	private final CsvFile file;

	private final RequestCounters counters;

	private final CsvSettings settings;

	private final Clock clock;

	private final Supplier<JvmSample> jvm;

	private RequestCounters.Totals previousRequests = new RequestCounters().totals();

	private JvmSample previousJvm = JvmSample.ZERO;

	private boolean failing;

	private final Set<CsvColumn> failed = new HashSet<>();

	/**
	 * Creates a reporter.
	 * @param file the file to write to
	 * @param counters what to report
	 * @param settings how often it will be asked to report, for the log, and the columns
	 * to add
	 * @param clock tells the time of a row
	 * @param jvm tells the state of the JVM
	 */
	CsvReporter(CsvFile file, RequestCounters counters, CsvSettings settings, Clock clock, Supplier<JvmSample> jvm) {
		this.file = file;
		this.counters = counters;
		this.settings = settings;
		this.clock = clock;
		this.jvm = jvm;
	}

	/**
	 * Creates the file with its header, so that a wrong directory is known at the start.
	 */
	void start() {
		attempt(this.file::open);
	}

	/**
	 * Adds a row.
	 */
	void report() {
		attempt(this::addRow);
	}

	/**
	 * Closes the file.
	 */
	void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			logger.warn("'" + this.file.path() + "' could not be closed", ex);
		}
	}

	private void addRow() throws IOException {
		RequestCounters.Totals requests = this.counters.totals();
		JvmSample sample = this.jvm.get();
		OffsetDateTime now = OffsetDateTime.now(this.clock);
		CsvRow row = new CsvRow(now, requests, sample, this.previousRequests, this.previousJvm);
		this.file.append(row.line(this.settings.columns().stream().map(this::cell)));
		// Only now: what a lost row would have told is part of the next one
		this.previousRequests = requests;
		this.previousJvm = sample;
	}

	/**
	 * A column of the application that fails must not cost the row.
	 */
	private String cell(CsvColumn column) {
		try {
			return cell(column.value().get());
		}
		catch (Exception | LinkageError | StackOverflowError ex) {
			if (this.failed.add(column)) {
				logger.warn("The column '" + column.title() + "' of the metrics file has failed. Its cell stays empty,"
						+ " now and whenever it fails again, which is not logged", ex);
			}
			return "";
		}
	}

	/**
	 * As every locale reads it, and never longer than 26 characters.
	 */
	private static String cell(@Nullable Number figure) {
		if (figure instanceof Long || figure instanceof Integer || figure instanceof Short || figure instanceof Byte) {
			return Long.toString(figure.longValue());
		}
		double decimal = (figure != null) ? figure.doubleValue() : Double.NaN;
		return Double.isFinite(decimal) ? Double.toString(decimal) : "";
	}

	private void attempt(Writing writing) {
		try {
			writing.run();
			if (this.failing) {
				logger.info("Metrics are now written to '" + this.file.path() + "'");
			}
			this.failing = false;
		}
		catch (IOException | RuntimeException ex) {
			if (!this.failing) {
				logger.warn("gateway-bench.metrics.csv.directory: metrics can't be written to '" + this.file.path()
						+ "' (" + ex + "). Make room, make the directory writable, or set the property to another one."
						+ " Requests are served and counted as before; the file is tried again every "
						+ this.settings.interval().toMillis() + " ms without further warnings.");
			}
			this.failing = true;
		}
	}

	/**
	 * Something that is written.
	 */
	@FunctionalInterface
	private interface Writing {

		void run() throws IOException;

	}

}
