package io.gatewaybench.benchmark;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.gatewaybench.benchmark.load.GeneratorMain;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code bench generate}: the load generator's process, which the runner starts.
 */
@Command(name = "generate", hidden = true, description = "Sends the load of a plan; started by the runner.")
final class GenerateCommand implements Callable<Integer> {

	@Parameters(index = "0", paramLabel = "plan")
	private Path plan = Path.of("");

	@Parameters(index = "1", paramLabel = "directory")
	private Path directory = Path.of("");

	@Override
	public Integer call() {
		return GeneratorMain.run(this.plan, this.directory, System.out, System.in);
	}

}
