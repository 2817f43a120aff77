package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.gatewaybench.Flavour;
import io.gatewaybench.metrics.CsvColumn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class CsvReporterTests {

	private static final long MILLI = 1_000_000;

	private static final long MB = 1024 * 1024;

	private static final String WARNING = "gateway-bench.metrics.csv.directory: metrics can't be written to '";

	private static final String RECOVERED = "Metrics are now written to '";

	@TempDir
	Path directory;

	private final Locale locale = Locale.getDefault();

	private final RequestCounters counters = new RequestCounters();

	private final LimitedDisk disk = new LimitedDisk();

	private Instant now = Instant.parse("2025-12-11T08:05:07.089Z");

	private JvmSample jvm = jvm(1000, 0, 0, 0);

	@AfterEach
	void restoreLocale() {
		Locale.setDefault(this.locale);
	}

	@Test
	void theColumnsAreThePublishedOnesAndThenOurs() throws IOException {
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		reporter(file).start();

		assertThat(Files.readAllLines(file.path())).containsExactly("Timestamp,HeapUsedMB,HeapMaxMB,HeapCommittedMB,"
				+ "NonHeapUsedMB,ThreadCount,PeakThreadCount,DaemonThreadCount,TotalStartedThreadCount,TotalGCCount,"
				+ "TotalGCTimeMs,GCCountDelta,GCTimeDeltaMs,CPULoad,AvailableProcessors,TotalRequests,SuccessCount,"
				+ "ErrorCount,AvgResponseTimeMs,MinResponseTimeMs,MaxResponseTimeMs,Status2xx,Status3xx,Status4xx,"
				+ "Status5xx,IntervalRequests,IntervalP50Ms,IntervalP99Ms,ProcessCpuLoad,ProcessCpuTimeMs,"
				+ "VtParallelism,VtPoolSize,VtMounted,VtQueued");
	}

	@Test
	void everyCellHasItsFigureInEveryLocale() throws IOException {
		Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		this.counters.record(200, true, 10 * MILLI);
		this.counters.record(302, true, 20 * MILLI);
		this.counters.record(404, true, 30 * MILLI);
		this.counters.record(503, true, 40 * MILLI);
		this.counters.record(200, false, 2500 * MILLI);
		this.counters.record(0, false, 400 * MILLI);
		this.jvm = new JvmSample(2000, 300 * MB + MB / 2, 2048 * MB, 512 * MB, 80 * MB, 18, 31, 16, 40, 7, 123, 1.005,
				4, 3_210_987_654L, 2, 3, 1, 5);

		reporter.report();

		assertThat(rows(file)).singleElement()
			.isEqualTo(cells("Timestamp", "2025-12-11T09:05:07.089+01:00", "HeapUsedMB", "300.50", "HeapMaxMB",
					"2048.00", "HeapCommittedMB", "512.00", "NonHeapUsedMB", "80.00", "ThreadCount", "18",
					"PeakThreadCount", "31", "DaemonThreadCount", "16", "TotalStartedThreadCount", "40", "TotalGCCount",
					"7", "TotalGCTimeMs", "123", "GCCountDelta", "7", "GCTimeDeltaMs", "123", "CPULoad", "1.01",
					"AvailableProcessors", "4", "TotalRequests", "6", "SuccessCount", "2", "ErrorCount", "4",
					"AvgResponseTimeMs", "500.000", "MinResponseTimeMs", "10.000", "MaxResponseTimeMs", "2500.000",
					"Status2xx", "2", "Status3xx", "1", "Status4xx", "1", "Status5xx", "1", "IntervalRequests", "6",
					"IntervalP50Ms", "30.015", "IntervalP99Ms", "2499.805", "ProcessCpuLoad", "0.4014",
					"ProcessCpuTimeMs", "3210.988", "VtParallelism", "2", "VtPoolSize", "3", "VtMounted", "1",
					"VtQueued", "5"));
	}

	@Test
	void columnsOfTheApplicationComeLastInEveryLocale(CapturedOutput output) throws IOException {
		Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
		CsvColumn[] columns = { new CsvColumn("Queue", () -> -7), new CsvColumn("Share", () -> 0.25),
				new CsvColumn("Huge", () -> BigInteger.TEN.pow(300)), new CsvColumn("Infinite", () -> Double.NaN),
				new CsvColumn("Unknown", () -> null), new CsvColumn("Failing", () -> {
					throw new IllegalStateException("By the test");
				}) };
		CsvFile file = file(this.directory, CsvFile.Opener.DISK, List.of(columns));
		CsvReporter reporter = reporter(file, columns);
		reporter.start();
		reporter.report();
		reporter.report();

		assertThat(Files.readAllLines(file.path()).get(0))
			.endsWith(",VtQueued,Queue,Share,Huge,Infinite,Unknown,Failing");
		assertThat(rows(file)).hasSize(2)
			.allSatisfy((row) -> assertThat(row).hasSize(40)
				.containsAllEntriesOf(cells("Queue", "-7", "Share", "0.25", "Huge", "1.0E300", "Infinite", "",
						"Unknown", "", "Failing", "")));
		assertThat(output).containsOnlyOnce("The column 'Failing' of the metrics file has failed");
	}

	@Test
	void whatIsNotKnownIsEmpty() throws IOException {
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		this.jvm = new JvmSample(2000, MB, -1, MB, MB, 1, 1, 1, 1, 0, 0, -1, 1, -1, -1, -1, -1, -1);

		reporter.report();

		assertThat(rows(file)).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("TotalRequests", "0").containsEntry("ErrorCount", "0"))
			.satisfies((row) -> assertThat(row.entrySet().stream().filter((cell) -> cell.getValue().isEmpty()))
				.extracting(Map.Entry::getKey)
				.containsExactly("HeapMaxMB", "CPULoad", "AvgResponseTimeMs", "MinResponseTimeMs", "MaxResponseTimeMs",
						"IntervalP50Ms", "IntervalP99Ms", "ProcessCpuLoad", "ProcessCpuTimeMs", "VtParallelism",
						"VtPoolSize", "VtMounted", "VtQueued"));
	}

	@Test
	void totalsGoOnAndIntervalsStartAgain() throws IOException {
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		this.counters.record(200, true, 10 * MILLI);
		this.counters.record(200, true, 30 * MILLI);
		this.jvm = jvm(1000, 2, 20, 1000 * MILLI);
		reporter.report();
		advance(Duration.ofSeconds(2));
		this.counters.record(500, true, 50 * MILLI);
		this.jvm = jvm(3000, 5, 60, 2000 * MILLI);
		reporter.report();
		advance(Duration.ofSeconds(2));
		reporter.report();

		List<Map<String, String>> rows = rows(file);

		assertThat(column(rows, "Timestamp")).containsExactly("2025-12-11T09:05:07.089+01:00",
				"2025-12-11T09:05:09.089+01:00", "2025-12-11T09:05:11.089+01:00");
		assertThat(column(rows, "TotalRequests")).containsExactly("2", "3", "3");
		assertThat(column(rows, "IntervalRequests")).containsExactly("2", "1", "0");
		assertThat(column(rows, "AvgResponseTimeMs")).containsExactly("20.000", "30.000", "30.000");
		assertThat(column(rows, "MaxResponseTimeMs")).containsExactly("30.000", "50.000", "50.000");
		assertThat(column(rows, "MinResponseTimeMs")).containsExactly("10.000", "10.000", "10.000");
		assertThat(rows.get(0)).containsEntry("IntervalP50Ms", "10.027");
		assertThat(rows.get(1)).containsEntry("IntervalP50Ms", rows.get(1).get("IntervalP99Ms"));
		assertThat(rows.get(2)).containsEntry("IntervalP50Ms", "");
		assertThat(column(rows, "TotalGCCount")).containsExactly("2", "5", "5");
		assertThat(column(rows, "GCCountDelta")).containsExactly("2", "3", "0");
		assertThat(column(rows, "GCTimeDeltaMs")).containsExactly("20", "40", "0");
		// One second of the four that two processors have in two seconds
		assertThat(column(rows, "ProcessCpuLoad")).containsExactly("0.5000", "0.2500", "");
	}

	@Test
	void everyRowTallies() throws IOException {
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		for (int request = 0; request < 1000; request++) {
			this.counters.record(200 + 100 * (request % 4), request % 7 != 0, request * MILLI);
			if (request % 90 == 0) {
				reporter.report();
			}
		}
		reporter.report();
		reporter.close();

		List<Map<String, String>> rows = rows(file);

		assertThat(rows).hasSize(13).allSatisfy((row) -> {
			assertThat(row).hasSize(34);
			assertThat(number(row, "TotalRequests")).isEqualTo(number(row, "SuccessCount") + number(row, "ErrorCount"));
			assertThat(number(row, "TotalRequests")).isEqualTo(number(row, "Status2xx") + number(row, "Status3xx")
					+ number(row, "Status4xx") + number(row, "Status5xx"));
		});
		assertThat(rows.stream().mapToLong((row) -> number(row, "IntervalRequests")).sum()).isEqualTo(1000);
		assertThat(number(rows.get(12), "TotalRequests")).isEqualTo(1000);
	}

	@Test
	void aFullDiskCausesOneWarningAndLosesNoRequest(CapturedOutput output) throws IOException {
		CsvFile file = file(this.directory, this.disk);
		CsvReporter reporter = reporter(file);
		reporter.start();
		this.counters.record(200, true, MILLI);
		reporter.report();
		this.disk.leaveRoom(10);
		for (int row = 0; row < 3; row++) {
			this.counters.record(200, true, MILLI);
			reporter.report();
		}
		assertThat(rows(file)).hasSize(1);
		assertThat(output).containsOnlyOnce(WARNING + file.path() + "' (java.io.IOException: No space left on device). "
				+ "Make room, make the directory writable, or set the property to another one.");
		assertThat(output).doesNotContain(RECOVERED);
		this.disk.leaveRoom(10_000);
		this.counters.record(200, true, MILLI);
		reporter.report();
		reporter.report();

		assertThat(column(rows(file), "TotalRequests")).containsExactly("1", "5", "5");
		assertThat(column(rows(file), "IntervalRequests")).containsExactly("1", "4", "0");
		assertThat(output).containsOnlyOnce(WARNING).containsOnlyOnce(RECOVERED + file.path() + "'");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theKernelsFullDeviceCausesOneWarning(CapturedOutput output) {
		CsvReporter reporter = reporter(
				file(this.directory, (path) -> Files.newByteChannel(Path.of("/dev/full"), StandardOpenOption.WRITE)));
		reporter.start();
		reporter.report();
		reporter.report();
		reporter.close();

		assertThat(output).containsOnlyOnce(WARNING).containsOnlyOnce("No space left on device");
	}

	@Test
	void aDirectoryThatCannotBeCreatedCausesOneWarningUntilItCan(CapturedOutput output) throws IOException {
		Path obstacle = Files.createFile(this.directory.resolve("obstacle"));
		CsvFile file = file(obstacle.resolve("data"), CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		reporter.start();
		this.counters.record(200, true, MILLI);
		reporter.report();
		assertThat(output).containsOnlyOnce(WARNING + obstacle.resolve("data"));
		Files.delete(obstacle);

		reporter.report();

		assertThat(column(rows(file), "IntervalRequests")).containsExactly("1");
		assertThat(output).containsOnlyOnce(WARNING).containsOnlyOnce(RECOVERED);
	}

	@Test
	void aDirectoryThatIsAFileCausesOneWarning(CapturedOutput output) throws IOException {
		Path obstacle = Files.createFile(this.directory.resolve("obstacle"));
		CsvReporter reporter = reporter(file(obstacle, CsvFile.Opener.DISK));
		reporter.start();
		reporter.report();
		reporter.report();
		reporter.close();

		assertThat(output).containsOnlyOnce(WARNING + obstacle);
		assertThat(obstacle).isEmptyFile();
	}

	@Test
	void eachOutageHasItsOwnWarning(CapturedOutput output) {
		CsvReporter reporter = reporter(file(this.directory, this.disk));
		for (int outage = 0; outage < 2; outage++) {
			this.disk.leaveRoom(0);
			reporter.report();
			this.disk.leaveRoom(10_000);
			reporter.report();
		}

		assertThat(output.getAll().split(WARNING, -1)).hasSize(3);
		assertThat(output.getAll().split(RECOVERED, -1)).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFileThatIsDeletedIsReplacedWithOneWarning(boolean withItsDirectory, CapturedOutput output)
			throws IOException {
		CsvFile file = file(this.directory.resolve("data"), CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		reporter.report();
		Files.delete(file.path());
		if (withItsDirectory) {
			Files.delete(file.path().getParent());
		}
		this.counters.record(200, true, MILLI);
		reporter.report();
		reporter.report();

		assertThat(column(rows(file), "IntervalRequests")).containsExactly("1", "0");
		assertThat(output).containsOnlyOnce("was deleted or moved").doesNotContain(WARNING);
	}

	@Test
	void aJvmThatCannotBeReadIsReportedAndTriedAgain(CapturedOutput output) throws IOException {
		CsvFile file = file(this.directory, CsvFile.Opener.DISK);
		CsvReporter reporter = reporter(file);
		JvmSample readable = this.jvm;
		this.jvm = null;
		reporter.report();
		this.jvm = readable;
		reporter.report();

		assertThat(rows(file)).hasSize(1);
		assertThat(output).containsOnlyOnce(WARNING).contains("NullPointerException").containsOnlyOnce(RECOVERED);
	}

	private void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

	private CsvFile file(Path directory, CsvFile.Opener opener) {
		return file(directory, opener, List.of());
	}

	private CsvFile file(Path directory, CsvFile.Opener opener, List<CsvColumn> columns) {
		return new CsvFile(directory, Flavour.WEBFLUX, ZonedDateTime.now(this.clock), CsvRow.header(columns), opener);
	}

	private CsvReporter reporter(CsvFile file, CsvColumn... columns) {
		return new CsvReporter(file, this.counters,
				new CsvSettings(this.directory, Duration.ofSeconds(2), List.of(columns)), this.clock, () -> this.jvm);
	}

	private static JvmSample jvm(long uptimeMillis, long gcCount, long gcMillis, long cpuNanos) {
		return new JvmSample(uptimeMillis, MB, MB, MB, MB, 1, 1, 1, 1, gcCount, gcMillis, 0.5, 2, cpuNanos, -1, -1, -1,
				-1);
	}

	private static List<Map<String, String>> rows(CsvFile file) throws IOException {
		List<String> lines = Files.readAllLines(file.path());
		String[] titles = lines.get(0).split(",", -1);
		return lines.stream().skip(1).map((line) -> {
			String[] values = line.split(",", -1);
			assertThat(values).hasSameSizeAs(titles);
			Map<String, String> row = new LinkedHashMap<>();
			for (int column = 0; column < titles.length; column++) {
				row.put(titles[column], values[column]);
			}
			return row;
		}).toList();
	}

	private static List<String> column(List<Map<String, String>> rows, String title) {
		return rows.stream().map((row) -> row.get(title)).toList();
	}

	private static long number(Map<String, String> row, String title) {
		return Long.parseLong(row.get(title));
	}

	private static Map<String, String> cells(String... titlesAndValues) {
		Map<String, String> cells = new LinkedHashMap<>();
		for (int index = 0; index < titlesAndValues.length; index += 2) {
			cells.put(titlesAndValues[index], titlesAndValues[index + 1]);
		}
		return cells;
	}

	private final Clock clock = new Clock() {

		@Override
		public ZoneId getZone() {
			return ZoneId.of("UTC+1");
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Instant instant() {
			return CsvReporterTests.this.now;
		}

	};

}
