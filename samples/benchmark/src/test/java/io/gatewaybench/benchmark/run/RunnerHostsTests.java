package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Host;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.topology.EnvironmentProbe;
import io.gatewaybench.benchmark.topology.FreePort;
import io.gatewaybench.benchmark.topology.SshServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class RunnerHostsTests {

	@TempDir
	private Path directory;

	@Test
	void aGatewayIsStartedOnItsHostAndLookedAtThereAndLeavesNothing() throws Exception {
		RunnerFixture runner = new RunnerFixture(this.directory);
		StubEngine engine = new StubEngine();
		try (SshServer server = SshServer.start(Files.createDirectory(this.directory.resolve("ssh")))) {
			Host host = host(runner, server.options());
			RunResults results = runner.run(engine, request(runner, host));
			assertThat(results.status()).isEqualTo(Status.COMPLETE);
			ScenarioResult result = results.scenarios().getFirst();
			assertThat(result.gateway().command()).startsWith("ssh")
				.last()
				.asString()
				.contains(host.directory() + "/jars/" + EnvironmentProbe.sha256(jar(runner)) + "/", "application.yml");
			assertThat(result.resources().gateway()).isNotNull();
			assertThat(result.resources().gateway().threads()).isGreaterThan(5);
			assertThat(results.environment().machine().get("host gw")).contains("Linux", "cores, clock");
			assertThat(engine.plans()).extracting((plan) -> plan.target().toString())
				.contains("http://127.0.0.1:" + host.firstPort());
			try (var left = Files.list(Path.of(host.directory()))) {
				assertThat(left).extracting((path) -> path.getFileName().toString()).containsExactly("jars");
			}
		}
		StubInstallation.awaitNoChild(runner.installation().home());
	}

	@Test
	void aLinkThatIsCutIsNamedAndTheGatewayEndsWithIt() throws Exception {
		RunnerFixture runner = new RunnerFixture(this.directory);
		try (SshServer server = SshServer.start(Files.createDirectory(this.directory.resolve("ssh")))) {
			Host host = host(runner, server.options());
			StubEngine engine = new StubEngine() {

				@Override
				void during(Stage stage) throws IOException, InterruptedException {
					if (stage.name().equals("webflux-c16")) {
						server.cut();
					}
				}

			};
			RunResults results = runner.run(engine, request(runner, host));
			ScenarioResult result = results.scenarios().getFirst();
			assertThat(result.failures()).contains("the connection to the host gw was lost");
			// The guard there waits for half a minute
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(ProcessHandle.current().descendants())
					.noneMatch((process) -> process.info().commandLine().orElse("").contains(host.directory())));
		}
	}

	@Test
	void aHostThatCannotBeReachedEndsTheRunBeforeAnythingIsStarted() throws Exception {
		RunnerFixture runner = new RunnerFixture(this.directory);
		Host host = host(runner, List.of("-p", Integer.toString(FreePort.find()), "-F", "none"));
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> runner.run(new StubEngine(), request(runner, host)))
			.withMessageContaining("The host gw can't be reached");
		StubInstallation.awaitNoChild(runner.installation().home());
	}

	private static Path jar(RunnerFixture runner) {
		return runner.installation().jar("gateway-webflux");
	}

	private Host host(RunnerFixture runner, List<String> options) {
		return new Host("gw", "127.0.0.1", options, "127.0.0.1", runner.installation().java().toString(),
				this.directory.resolve("there").toString(), FreePort.find());
	}

	private static RunRequest request(RunnerFixture runner, Host host) {
		List<Scenario> scenarios = RunnerFixture.scenarios("", "webflux-c16")
			.stream()
			.map((scenario) -> Scenario.of(SampleResults.with(scenario.variant(), "component",
					new Component.OnHost(scenario.variant().component(), host)), scenario.load()))
			.toList();
		return runner.request(scenarios);
	}

}
