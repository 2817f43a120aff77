package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;

import io.gatewaybench.benchmark.selftest.SelfTest;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench selftest}.
 */
@Command(name = "selftest", mixinStandardHelpOptions = true,
		description = "Measures things whose answer is known, in 2 to 3 minutes, and says pass or fail line by line. "
				+ "The machine must have nothing else to do.")
final class SelfTestCommand implements Callable<Integer> {

	@Option(names = "--only", paramLabel = "<n>", split = ",", description = "Only the checks of these numbers.")
	private Set<Integer> only = Set.of();

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public Integer call() throws InterruptedException {
		for (int number : this.only) {
			if (number < 1 || number > SelfTest.size()) {
				throw new ParameterException(this.spec.commandLine(),
						"There is no check " + number + "; choose 1 to " + SelfTest.size());
			}
		}
		SelfTest test = new SelfTest(Installation.current(), Placement.of(Placement.usualGrouping()), directory(),
				this.spec.commandLine().getOut());
		return switch (test.run(this.only)) {
			case PASS -> 0;
			case INVALID -> Bench.NOT_MEASURED;
			case FAIL -> Bench.FAILED;
		};
	}

	private static Path directory() {
		try {
			return Files.createTempDirectory("gateway-bench-selftest");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
