package io.gatewaybench.benchmark.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.NettyLoadSession;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.PublishedSchema;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.run.Interruption;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.run.StubInstallation;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("gateways of the faults")
class FaultRunnerTests {

	private static final double RATE = 50;

	// Users who ask again at once would keep both cores busy for the whole of a warm-up
	private static final String SLOW = "slow";

	@TempDir
	private Path directory;

	private Installation installation;

	@BeforeEach
	void install() throws Exception {
		this.installation = StubInstallation.create(this.directory.resolve("home"));
	}

	@AfterEach
	void theResultsFollowTheirSchema() throws Exception {
		assertThat(PublishedSchema.FAULTS.errors(Files.readString(out().resolve(FaultResults.NAME)))).isEmpty();
	}

	@AfterEach
	void noChildIsLeft() {
		StubInstallation.awaitNoChild(this.directory);
	}

	@Test
	void everyFaultHappensToEveryGatewayAndIsReported() {
		List<Fault> faults = List.of(Fault.KILL, Fault.RESTART, Fault.FREEZE, Fault.ERROR);
		FaultResults results = run(NettyLoadSession::new, faults, SLOW);
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.faults()).extracting(FaultResult::gateway, FaultResult::fault)
			.containsExactly(tuple("WebFlux", "kill"), tuple("WebFlux", "restart"), tuple("WebFlux", "freeze"),
					tuple("WebFlux", "error"), tuple("WebMVC+VT", "kill"), tuple("WebMVC+VT", "restart"),
					tuple("WebMVC+VT", "freeze"), tuple("WebMVC+VT", "error"));
		assertThat(results.balanced()).isTrue();
		assertThat(results.held()).isTrue();
		// These gateways have no instances
		assertThat(results.faults()).allSatisfy((fault) -> {
			assertThat(fault.total().intended()).isEqualTo(30);
			assertThat(fault.total().failed()).isZero();
			assertThat(fault.outageMs()).isPositive();
			assertThat(fault.ejectedAfterMs()).isNull();
		});
		assertThat(results.warmups()).hasSize(2);
		assertThat(out()).isDirectoryContaining("glob:**/report.md").isDirectoryContaining("glob:**/faults.json");
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/webflux.log")
			.isDirectoryContaining("glob:**/webflux-1.log")
			.isDirectoryContaining("glob:**/webflux-1-3.log")
			.isDirectoryContaining("glob:**/webmvc-vt-2.log");
	}

	@Test
	void aFaultWithArgumentsOfItsOwnHasAGatewayOfItsOwn() {
		FaultResults results = run(NettyLoadSession::new, List.of(Fault.POOL_EXHAUSTION, Fault.ERROR), SLOW, 1);
		assertThat(results.faults()).extracting(FaultResult::fault).containsExactly("pool-exhaustion", "error");
		assertThat(results.warmups()).hasSize(2);
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/webflux.log")
			.isDirectoryContaining("glob:**/webflux-pool-exhaustion.log");
	}

	@Test
	void clientsBesideTheLoadAndOtherInstancesArePartOfAFault() throws Exception {
		FaultResults results = run(NettyLoadSession::new,
				List.of(Fault.ABORTED_UPLOADS, Fault.REFRESH, Fault.ADDRESS_CHANGE, Fault.TLS_SILENCE), SLOW, 1);
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.faults()).allSatisfy((fault) -> assertThat(fault.total().failed()).isZero());
		assertThat(results.faults().getFirst().extraClients().visits()).isGreaterThanOrEqualTo(50);
		assertThat(results.faults().getFirst().extraClients().failed()).isZero();
		assertThat(Files.readString(out().resolve("raw/webflux/upstreams.yml"))).doesNotContain("https:")
			.contains("instances");
		assertThat(Files.readString(out().resolve("raw/webflux/application.yml"))).contains("rr://breaker");
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/webflux-1-moved.log");
	}

	@Test
	void anInterruptionWhileAnInstanceIsFrozenKeepsWhatWasSeen() {
		AtomicBoolean frozen = new AtomicBoolean();
		FaultResults results = run(new Engine() {

			@Override
			StageResult run(LoadPlan plan, LoadSession session, Stage stage) throws InterruptedException {
				if (plan.id().equals("webflux-freeze") && stage.name().equals("fault")) {
					frozen.set(true);
					Thread.currentThread().interrupt();
				}
				return super.run(plan, session, stage);
			}

		}, List.of(Fault.ERROR, Fault.FREEZE), SLOW);
		assertThat(frozen).isTrue();
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(results.faults()).extracting(FaultResult::fault).containsExactly("error");
		assertThat(out().resolve("report.md")).content().contains("The run was interrupted.");
	}

	@Test
	void aGatewayThatAnswersWronglyIsNotLookedAt() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(NettyLoadSession::new, List.of(Fault.KILL), SLOW + ",wrong-type"))
			.withMessageContaining("The gateway WebFlux does not answer as it must")
			.withMessageContaining("see " + out().resolve("logs/webflux.log"));
		assertThat(out().resolve("report.md")).content().contains("The run failed: The gateway WebFlux");
	}

	@Test
	void theResultsOfAnotherRunAreNotOverwritten() {
		run(NettyLoadSession::new, List.of(), SLOW);
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> run(NettyLoadSession::new, List.of(), SLOW))
			.withMessageContaining("has the results of another run");
	}

	private FaultResults run(LoadEngine engine, List<Fault> faults, String behaviour) {
		return run(engine, faults, behaviour, 2);
	}

	private FaultResults run(LoadEngine engine, List<Fault> faults, String behaviour, int number) {
		Duration part = Duration.ofMillis(200);
		FaultResults.Settings settings = new FaultResults.Settings(RATE, "64m", Duration.ZERO, part, part, part);
		List<Variant> gateways = Suites.faulty()
			.subList(0, number)
			.stream()
			.map((variant) -> SampleResults.with(variant, "component",
					((Component.Jar) variant.component()).with(List.of("--stub=" + behaviour))))
			.toList();
		FaultRequest request = new FaultRequest(gateways, faults, settings, Heap.parse("64m"), out(),
				List.of("faults"));
		try (Interruption interruption = new Interruption()) {
			return new FaultRunner(this.installation, (raw, prefix) -> engine, Console.quiet()).run(request,
					interruption);
		}
	}

	private Path out() {
		return this.directory.resolve("results/faults");
	}

	/**
	 * An engine that can be told to do something else.
	 */
	private static class Engine implements LoadEngine {

		StageResult run(LoadPlan plan, LoadSession session, Stage stage) throws InterruptedException {
			return session.run(stage);
		}

		@Override
		public LoadSession open(LoadPlan plan) throws InterruptedException {
			LoadSession session = new NettyLoadSession(plan);
			return new LoadSession() {

				@Override
				public long pid() {
					return session.pid();
				}

				@Override
				public StageResult run(Stage stage) throws InterruptedException {
					return Engine.this.run(plan, session, stage);
				}

				@Override
				public void close() {
					session.close();
				}

			};
		}

	}

}
