package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Path;

import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench report}.
 */
@Command(name = "report", mixinStandardHelpOptions = true,
		description = "Renders the reports of a run again from its results.json, and prints its tables.")
final class ReportCommand implements Runnable {

	@Parameters(arity = "0..1", paramLabel = "directory", defaultValue = "bench-results/latest",
			description = "The directory of the run (default: ${DEFAULT-VALUE}).")
	private Path directory = Path.of("");

	@Option(names = "--into", paramLabel = "<directory>",
			description = "Writes the reports as <suite>.html and <suite>.md into a directory that many runs share, with "
					+ "one copy of style, script and chart library, such as the files of a site.")
	private @Nullable Path into;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		RunResults results = ResultsFile.read(this.directory);
		Path report = (this.into != null) ? Reports.publish(results, this.directory, this.into)
				: Reports.write(results, this.directory);
		PrintWriter out = this.spec.commandLine().getOut();
		out.print(TerminalReport.render(results));
		out.println("Report: " + report);
		out.flush();
	}

}
