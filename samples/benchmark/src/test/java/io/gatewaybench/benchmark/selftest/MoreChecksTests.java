package io.gatewaybench.benchmark.selftest;

import java.net.URI;
import java.nio.file.Path;

import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks of the method that take minutes, and a machine that does nothing else. They use
 * the jars of {@code ./bench}.
 */
@EnabledIfSystemProperty(named = "gateway-bench.checks", matches = "true")
class MoreChecksTests {

	@TempDir
	private Path directory;

	@Test
	void littlesLawHoldsFor16And100Users() throws Exception {
		assertPasses(new LittleCheck());
	}

	@Test
	void aClosedLoopIsAsFastAsThatOfWrk() throws Exception {
		assertPasses(new WrkCheck());
	}

	@Test
	void theIntervalOfTheSameBackendTwiceContains1() throws Exception {
		assertPasses(new SameTwiceCheck());
	}

	@Test
	void fiveMillisecondsThatAGatewayAddsReadAsThat() throws Exception {
		assertPasses(new OverheadCheck());
	}

	private void assertPasses(Check check) throws InterruptedException {
		Installation installation = new Installation(Installation.current().java(),
				Path.of("../..").toAbsolutePath().normalize());
		try (CheckEnvironment environment = new CheckEnvironment(installation, Placement.usual(), this.directory)) {
			Outcome outcome = TimedCheck.of(check).run(environment);
			assertThat(outcome.status()).as(outcome.text()).isEqualTo(Outcome.Status.PASS);
		}
	}

	static StageResult load(CheckEnvironment environment, URI target, Model model, int connections, Stage warmUp,
			Stage measure) throws InterruptedException {
		try (LoadSession session = environment.open(target, model, connections)) {
			session.run(warmUp).whole();
			return session.run(measure).whole();
		}
	}

}
