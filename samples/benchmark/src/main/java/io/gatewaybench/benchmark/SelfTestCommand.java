package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;

import io.gatewaybench.benchmark.selftest.Outcome;
import io.gatewaybench.benchmark.selftest.SelfTest;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench selftest}.
 */
@Command(name = "selftest", mixinStandardHelpOptions = true,
		description = "Measures things whose answer is known, in 4 to 5 minutes, and says pass or fail line by line. "
				+ "The machine must have nothing else to do.")
final class SelfTestCommand implements Callable<Integer> {

	@Option(names = "--short", description = "None that need a quiet machine for long.")
	private boolean brief;

	@Option(names = "--only", paramLabel = "<n>", split = ",", description = "Only the checks of these numbers.")
	private Set<Integer> only = Set.of();

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the files of the checks go (default: a temporary directory).")
	private @Nullable Path out;

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
		Installation installation = Installation.current();
		Path directory = directory();
		Outcome.Status worst = new SelfTest(installation, Placement.of(Placement.usualGrouping()), directory,
				this.spec.commandLine().getOut())
			.run(this.only, this.brief);
		return switch (worst) {
			case SKIP, PASS -> 0;
			case INVALID -> Bench.NOT_MEASURED;
			case FAIL -> Bench.FAILED;
		};
	}

	private Path directory() {
		try {
			return (this.out != null) ? Files.createDirectories(this.out).toAbsolutePath()
					: Files.createTempDirectory("gateway-bench-selftest");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
