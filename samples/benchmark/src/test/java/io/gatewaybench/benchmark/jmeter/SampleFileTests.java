package io.gatewaybench.benchmark.jmeter;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Plans;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.TypeResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class SampleFileTests {

	private static final Stage SECOND = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(1));

	@TempDir
	private Path directory;

	@Test
	void aLineIsReadAsThePlayerWritesIt() {
		Sample sample = Sample.parse("10.0.0.7:1099\t1700000000123\t45\t5\tdata\t200\ttrue\t1700000000500", 10_000);
		assertThat(sample)
			.isEqualTo(new Sample("10.0.0.7:1099", 1_700_000_000_123L, 45, 5, "data", "200", true, 1_700_000_000_500L));
		assertThat(sample.status()).isEqualTo(200);
		assertThat(sample.end()).isEqualTo(1_700_000_000_168L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a:1", "a:1\t1700000000123\t45\t5\tdata\t200\ttrue",
			"a:1\t1700000000123\tx\t0\tdata\t200\ttrue\t1", "a:1\t1\t2\t0\tdata\t200\ttrue\t" })
	void aLineThatIsNotCompleteIsNoSample(String line) {
		assertThat(Sample.parse(line, 10_000)).isNull();
	}

	@Test
	void timesCountFromTheFirstRequestOfEachAgent() throws Exception {
		// The clock of b is an hour ahead
		Path file = write("a:1\t1500\t700\t0\tdata\t200\ttrue\t2200", "a:1\t1000\t100\t0\tdata\t200\ttrue\t1100",
				"b:1\t3601000\t200\t0\tdata\t200\ttrue\t1200", "b:1\t3601900\t50\t0\tdata\t200\ttrue\t1950");
		SampleFile samples = new SampleFile(file, plan(), SECOND, List.of("a:1", "b:1"), 900);
		TypeResult data = samples.types().getFirst();
		assertThat(data.counts()).isEqualTo(new Counts(4, 4, 0, 0, 0, 0, 0, 0));
		// The one that ends 1,200 ms after the first start does not count
		assertThat(data.okInWindow()).isEqualTo(3);
		assertThat(samples.seconds()).isEqualTo(1.2);
		assertThat(samples.series())
			.extracting((second) -> second.second() + ": " + second.offered() + ", " + second.ok())
			.containsExactly("0: 4, 3", "1: 0, 1");
		List<AgentResult> agents = samples.agents(2.0);
		assertThat(agents).extracting(AgentResult::agent).containsExactly("a:1", "b:1");
		assertThat(agents).extracting(AgentResult::sent).containsExactly(2L, 2L);
		assertThat(agents).extracting(AgentResult::clockMs).containsExactly(0L, 3_600_000L);
		assertThat(agents.getFirst().firstMs()).isEqualTo(100);
		assertThat(agents.getLast().service().maxMs()).isEqualTo(200, within(0.2));
	}

	@Test
	void anAgentWithoutASampleIsTold() throws Exception {
		SampleFile samples = new SampleFile(this.directory.resolve("none"), plan(), SECOND, List.of("a:1"), 900);
		assertThat(samples.agents(null)).singleElement().satisfies((agent) -> {
			assertThat(agent.sent()).isZero();
			assertThat(agent.clockMs()).isZero();
		});
		assertThat(samples.seconds()).isZero();
		assertThat(samples.series()).isEmpty();
	}

	@Test
	void secondsInWhichNothingCameAreTold() throws Exception {
		Path file = write("a:1\t1000\t100\t0\tdata\t200\ttrue\t1100", "a:1\t1100\t3000\t0\tdata\t200\ttrue\t4100");
		assertThat(new SampleFile(file, plan(), SECOND, List.of("a:1"), 900).series())
			.extracting((second) -> second.second() + ": " + second.ok())
			.containsExactly("0: 1", "1: 0", "2: 0", "3: 1");
	}

	@Test
	void theServiceTimeIsWithoutTheTimeToConnect() throws Exception {
		Path file = write("a:1\t1000\t100\t30\tdata\t200\ttrue\t1100");
		SampleFile samples = new SampleFile(file, plan(), SECOND, List.of("a:1"), 900);
		TypeResult data = samples.types().getFirst();
		assertThat(data.latency().service().summary().maxMs()).isEqualTo(70, within(0.1));
		assertThat(data.latency().response().summary().maxMs()).isEqualTo(100, within(0.1));
		assertThat(data.latency().slo().summary().maxMs()).isEqualTo(100, within(0.1));
		assertThat(samples.series()).singleElement()
			.satisfies((second) -> assertThat(second.maxMs()).isEqualTo(100, within(0.1)));
	}

	@Test
	void aResponseThatTricklesLongerThanTheTimeoutIsLate() throws Exception {
		Path file = write("a:1\t1000\t10001\t0\tdata\t200\ttrue\t11001");
		TypeResult data = new SampleFile(file, plan(), SECOND, List.of("a:1"), 900).types().getFirst();
		assertThat(data.counts()).isEqualTo(new Counts(1, 0, 0, 1, 0, 0, 0, 0));
		assertThat(data.failures()).containsExactly("GET /data: the response took too long");
	}

	@ParameterizedTest
	@CsvSource({ "503, 0-0-1-0-0-0-0", "200, 0-0-0-0-0-0-1",
			"Non HTTP response code: java.net.SocketTimeoutException, 0-0-0-1-0-0-0",
			"Non HTTP response code: org.apache.http.conn.HttpHostConnectException, 0-0-0-0-1-0-0",
			"Non HTTP response code: org.apache.http.conn.ConnectTimeoutException, 0-0-0-0-1-0-0",
			"Non HTTP response code: org.apache.http.NoHttpResponseException, 0-0-0-0-0-1-0",
			"Non HTTP response code: java.net.SocketException, 0-0-0-0-0-1-0" })
	void whatWentWrongIsTold(String code, String expected) throws Exception {
		Path file = write("a:1\t1000\t10\t0\tdata\t" + code + "\tfalse\t1010");
		TypeResult data = new SampleFile(file, plan(), SECOND, List.of("a:1"), 900).types().getFirst();
		Counts counts = data.counts();
		assertThat(counts.balanced()).isTrue();
		assertThat("%d-%d-%d-%d-%d-%d-%d".formatted(counts.ok(), counts.aborted(), counts.httpError(), counts.timeout(),
				counts.refused(), counts.reset(), counts.wrongBody()))
			.isEqualTo(expected);
		assertThat(data.failures()).singleElement().isEqualTo("GET /data: " + code);
		assertThat(data.latency().slo().summary().maxMs()).isGreaterThanOrEqualTo(9_990);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 1010, 0", "3000, 3010, 1990", "-900, -890, -1900" })
	void aClockThatDiffersIsFoundByTheStartOfTheTestAndTheArrivalOfSamples(long start, long end, long differs)
			throws Exception {
		Path file = write("a:1\t%d\t%d\t0\tdata\t200\ttrue\t1020".formatted(start, end - start));
		assertThat(new SampleFile(file, plan(), SECOND, List.of("a:1"), 1_000).agents(null)).singleElement()
			.satisfies((agent) -> assertThat(agent.clockMs()).isEqualTo(differs));
	}

	private Path write(String... lines) throws Exception {
		return Files.write(this.directory.resolve("samples.tsv"), List.of(lines));
	}

	private static LoadPlan plan() {
		return Plans.builder(Model.CLOSED).mix(Plans.get(new Expectation(200, 0, null))).build();
	}

}
