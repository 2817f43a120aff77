package io.gatewaybench.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;

import io.gatewaybench.benchmark.selftest.SelfTest;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench selftest}.
 */
@Command(name = "selftest", mixinStandardHelpOptions = true,
		description = "Measures things whose answer is known, in 2 minutes, on a machine that has nothing else to do.")
final class SelfTestCommand extends BenchCommand {

	@Option(names = "--only", paramLabel = "<n>", split = ",", description = "Only the checks of these numbers.")
	private Set<Integer> only = Set.of();

	@Override
	public Integer call() throws IOException, InterruptedException {
		for (int number : this.only) {
			check(number >= 1 && number <= SelfTest.size(),
					"There is no check " + number + "; choose 1 to " + SelfTest.size());
		}
		SelfTest test = new SelfTest(Installation.current(), Placement.usual(),
				Files.createTempDirectory("gateway-bench-selftest"), out());
		return switch (test.run(this.only)) {
			case SKIP, PASS -> 0;
			case INVALID -> Bench.NOT_MEASURED;
			case FAIL -> Bench.FAILED;
		};
	}

}
