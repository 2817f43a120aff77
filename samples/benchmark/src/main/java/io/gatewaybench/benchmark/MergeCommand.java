package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatewaybench.benchmark.merge.Merge;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.run.OutputDirectory;

/**
 * {@code bench merge}.
 */
@Command(name = "merge", mixinStandardHelpOptions = true,
		description = "Puts the results of all segments of a run together (bench run --segment), and writes their report.")
final class MergeCommand implements Callable<Integer> {

	@Parameters(arity = "1..*", paramLabel = "directory",
			description = "The directories of the runs, one for each segment, in any order.")
	private List<Path> directories = List.of();

	@Option(names = "--out", paramLabel = "<directory>", required = true, description = "Where the results go.")
	private Path out = Path.of("");

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public Integer call() {
		Merge merge = Merge.of(this.directories);
		OutputDirectory output = OutputDirectory.create(this.out);
		merge.writePlan(this.out.resolve("plan.json"));
		RunResults results = merge.results(output.raw());
		ResultsFile.write(this.out.resolve(ResultsFile.NAME), results);
		Path report = Reports.write(results, this.out);
		PrintWriter printed = this.spec.commandLine().getOut();
		printed.print(TerminalReport.render(results));
		printed.println("Report: " + report);
		printed.flush();
		return RunCommand.exitCode(results);
	}

}
