package io.gatewaybench.benchmark;

import java.time.Duration;

import io.gatewaybench.benchmark.faults.Fault;
import io.gatewaybench.benchmark.faults.FaultRequest;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BenchTests {

	private final BenchFixture bench = new BenchFixture();

	@ParameterizedTest
	@CsvSource({ "30s, 30000", "2m, 120000", "1h, 3600000", "500ms, 500", "PT30S, 30000", "pt1m30s, 90000", "0s, 0" })
	void durationsAreReadInBothForms(String text, long millis) {
		assertThat(Converters.duration(text)).isEqualTo(Duration.ofMillis(millis));
	}

	@ParameterizedTest
	@ValueSource(strings = { "30", "30x", "-5s", "", "1.5s", "99999999999s" })
	void whatIsNoDurationIsRefusedWithAnExample(String text) {
		assertThat(this.bench.run("run", "--time", text)).isEqualTo(2);
		assertThat(this.bench.err()).contains("'--time'", "'" + text + "' is not a duration", "30s");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"run nothing|There is no suite 'nothing'; choose one of: gateway",
			"run all --only webflux|--only is for one suite, and not for all; leave it out",
			"run --only nothing|--only nothing matches no scenario of suite gateway; choose from: direct-c16",
			"run --slice 10ms|--slice 10ms is too short", "run --heap 2x|'2x' is not a heap size",
			"run --heap 1m|'1m' is too small",
			"run --engine wrk|--engine wrk is not there; choose one of: embedded, jmeter",
			"run streams --only socket --engine jmeter|--engine jmeter opens no WebSockets; choose other loads with --only, or leave out",
			"export streams --only webflux-c500 --format k6|direct-c500-socket opens WebSockets, which only the runner's own engine does",
			"run --frobnicate|--frobnicate", "calibrate|Missing required parameter: '<run>'",
			"run --connections 0|--connections 0 is not possible",
			"run overhead --starts 0|--starts 0 is not possible; use 1 to 1000",
			"selftest --only 99|There is no check 99; choose 1 to 6",
			"faults --only kil|There is no fault 'kil'; choose from: kill, restart, freeze, refuse, reset, error, slow, slow-least-requests, closing, aborted-uploads",
			"faults --flavour netty|There is no gateway 'netty'; choose from: webflux, webmvc-vt, webmvc",
			"faults --length 10ms|--before, --length and --after take a second at least",
			"faults --rate 0|--rate 0.0 is not possible", "\"\"|Missing command" })
	void wrongUsageIsExplainedAndHasItsExitCode(String line, String message) {
		assertThat(this.bench.run(line.isBlank() ? new String[0] : line.strip().split(" "))).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(message).doesNotContain("\tat ");
	}

	@Test
	void theListNamesEverySuiteScenarioAndSource() {
		assertThat(this.bench.run("list")).isZero();
		Suites.all().forEach((suite) -> {
			assertThat(this.bench.out()).contains(suite.name() + ": ",
					(suite.study() != null) ? suite.study().source() : suite.title());
			suite.scenarios().forEach((scenario) -> assertThat(this.bench.out()).contains("  " + scenario.id() + " "));
		});
	}

	@Test
	void theGeneratorIsNotAdvertised() {
		assertThat(this.bench.run("--help")).isZero();
		assertThat(this.bench.out()).contains("run", "list", "faults", "report", "calibrate", "export", "selftest")
			.doesNotContain("generate");
	}

	@Test
	void everyFaultHappensToWebFluxAndToWebMvcOnVirtualThreadsUnlessToldOtherwise() {
		FaultRequest request = faults("faults");
		assertThat(request.gateways()).extracting(Variant::id).containsExactly("webflux", "webmvc-vt");
		assertThat(request.faults()).containsExactly(Fault.values());
		assertThat(request.settings().rate()).isEqualTo(1000);
		assertThat(request.heap().text()).isEqualTo("512m");
		assertThat(request.estimate()).isLessThan(Duration.ofMinutes(24));
		assertThat(request.settings().fault()).isEqualTo(Duration.ofSeconds(5));
		FaultRequest chosen = faults("faults", "--flavour", "webmvc", "--only", "slow,kill,aborted-uploads", "--rate",
				"300", "--before", "1s", "--length", "3s", "--after", "4s");
		assertThat(chosen.gateways()).extracting(Variant::id).containsExactly("webmvc");
		assertThat(chosen.faults()).containsExactly(Fault.SLOW, Fault.KILL, Fault.ABORTED_UPLOADS);
		assertThat(chosen.settings().after()).isEqualTo(Duration.ofSeconds(4));
		assertThat(chosen.settings().rate()).isEqualTo(300);
	}

	@Test
	void anUnreadableOptionValueDoesNotReachTheRunner() {
		assertThatExceptionOfType(CommandLine.TypeConversionException.class).isThrownBy(() -> Converters.heap("-1g"));
	}

	private FaultRequest faults(String... args) {
		CommandLine.ParseResult parsed = Bench.commandLine().parseArgs(args);
		return ((FaultsCommand) parsed.subcommand().commandSpec().userObject()).request();
	}

}
