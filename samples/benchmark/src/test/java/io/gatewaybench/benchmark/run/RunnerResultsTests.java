package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Path;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/**
 * What one run leaves.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunnerResultsTests {

	private RunnerFixture runner;

	private RunResults results;

	@BeforeAll
	void run(@TempDir Path directory) throws IOException {
		this.runner = new RunnerFixture(directory);
		this.results = this.runner.run(new StubEngine(), this.runner.request("", "webflux-c16", "webmvc-vt-c100"));
		this.runner.assertNothingIsLeft();
	}

	@Test
	void everyScenarioIsMeasuredAndReported() {
		RunResults results = this.results;
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).extracting(ScenarioResult::id).containsExactly("webflux-c16", "webmvc-vt-c100");
		ScenarioResult first = results.scenarios().getFirst();
		// This machine runs other tests
		assertThat(first.okPerSecond()).isEqualTo(400);
		assertThat(first.gateway().cpuMicrosPerOk()).isPositive();
		assertThat(first.gateway().startMillis()).isPositive();
		assertThat(results.published(first.id())).containsEntry("throughput", 20.21);
		// 0.4 x 70 + 0.35 x 20 + 0.25 x 20
		assertThat(first.theoreticalMaximum().backendMeanMs()).isCloseTo(40, within(0.001));
		assertThat(first.theoreticalMaximum().requestsPerSecond()).isCloseTo(400, within(0.01));
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.out()).isDirectoryContaining("glob:**/report.html")
			.isDirectoryContaining("glob:**/report.md")
			.isDirectoryContaining("glob:**/plan.json");
		assertThat(this.runner.out().resolve("logs")).isDirectoryContaining("glob:**/backends.log")
			.isDirectoryContaining("glob:**/webflux-1.log");
		assertThat(this.runner.out().resolveSibling("latest/results.json")).exists();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theResourcesOfAGatewayAreInTheResults() {
		assertThat(this.results.scenarios()).isNotEmpty().allSatisfy((scenario) -> {
			assertThat(scenario.resources().gateway().threads()).isGreaterThan(5);
			assertThat(scenario.resources().gateway().sockets()).isPositive();
			assertThat(scenario.resources().jvm().heapUsedBytes()).isPositive();
			assertThat(scenario.resources().machine().seconds()).isPositive();
		});
	}

	@Test
	void thresholdsAreAnsweredInTheResultsAndInAFileForBuildServers() {
		assertThat(this.results.thresholds()).extracting(ThresholdResult::condition, ThresholdResult::load)
			.containsExactly(tuple("webflux.throughput < 100/s", "c16"), tuple("webflux.throughput < 100/s", "c100"));
		assertThat(this.results.thresholds()).extracting(ThresholdResult::outcome)
			.containsExactly(Outcome.PASSED, Outcome.INCONCLUSIVE);
		assertThat(this.results.thresholds().getLast().reason())
			.isEqualTo("Its figures were never measured in the same round.");
		assertThat(this.runner.out().resolve("thresholds.xml")).content()
			.contains("fail if webflux.throughput &lt; 100/s");
	}

}
