package io.gatewaybench.benchmark.run;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import oshi.SystemInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.topology.MachineDetails;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ConnectionLimitsTests {

	private static final Map<String, String> USUAL = Map.of("open files", "20000 20000 files", "local ports",
			"32768\t60999", "somaxconn", "4096");

	@Test
	void aLoadThatFitsIsAllowed() {
		ConnectionLimits limits = ConnectionLimits.of(USUAL);
		assertThat(limits).isEqualTo(new ConnectionLimits(20_000, 28_232, 4_096));
		assertThatNoException().isThrownBy(() -> limits.check(List.of(gateway(16), gateway(10_000), control(18_000))));
	}

	@Test
	void aLimitThatIsTooLowIsToldWithTheCommandThatRaisesIt() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> new ConnectionLimits(4_096, 28_232, 4_096).check(List.of(gateway(16), gateway(10_000))))
			.withMessage("webflux-c10000 needs 10,000 connections, but a process may have 4,096 files open: raise it "
					+ "with ulimit -n 10512, as root. Or use fewer.");
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> new ConnectionLimits(99_999, 28_232, 4_096).check(List.of(gateway(30_000))))
			.withMessageContaining(
					"there are 28,232 local ports: raise it with sysctl -w net.ipv4.ip_local_port_range");
	}

	@Test
	void allLimitsThatAreTooLowAreToldAtOnce() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> new ConnectionLimits(1_024, 1_000, 128).check(List.of(gateway(2_000))))
			.withMessageContaining("ulimit -n 2512")
			.withMessageContaining("1,000 local ports")
			.withMessageContaining("a listener may hold 128 new ones: raise it with sysctl -w net.core.somaxconn=4096");
	}

	@Test
	void theDefaultRunFitsWhereAProcessMayHave1024FilesOpen() {
		assertThatNoException()
			.isThrownBy(() -> new ConnectionLimits(1_024, 28_232, 4_096).check(List.of(gateway(100))));
	}

	@Test
	void aShortBacklogDoesNotMatterToFewConnectionsAndToWhatRunsElsewhere() {
		ConnectionLimits limits = new ConnectionLimits(20_000, 28_232, 128);
		assertThatNoException().isThrownBy(() -> limits.check(List.of(gateway(1_000), control(2_000))));
	}

	@Test
	void aMachineThatTellsNoLimitAllowsEverything() {
		assertThatNoException().isThrownBy(() -> ConnectionLimits.of(Map.of()).check(List.of(gateway(60_000))));
		assertThat(ConnectionLimits.of(Map.of("open files", "unlimited unlimited files")).files())
			.isEqualTo(Long.MAX_VALUE);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theLimitsOfThisMachineAreKnown() {
		ConnectionLimits limits = ConnectionLimits.of(MachineDetails.read(new SystemInfo()));
		assertThat(List.of(limits.files(), limits.ports(), limits.backlog()))
			.allSatisfy((limit) -> assertThat(limit).isPositive());
		assertThat(limits.ports()).isLessThan(65_536);
		assertThat(limits.backlog()).isLessThan(Long.MAX_VALUE);
	}

	private static Scenario gateway(int connections) {
		return scenario("webflux-c16", connections);
	}

	private static Scenario control(int connections) {
		return scenario("direct-c16", connections);
	}

	private static Scenario scenario(String id, int connections) {
		Scenario known = Suites.named("gateway")
			.orElseThrow()
			.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().equals(id))
			.findFirst()
			.orElseThrow();
		return Scenario.of(known.variant(), known.load().on(connections));
	}

}
