package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.report.Answer;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.RunRequest;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * What is printed about a run: everything, or only its answer.
 */
final class RunOutput {

	@Option(names = "--quiet",
			description = "Print nothing but the answer and where the report is; errors go to standard error.")
	private boolean quiet;

	Console console() {
		return this.quiet ? Console.quiet() : Console.open();
	}

	/**
	 * A run is over.
	 * @param request what was asked for
	 * @param results what was found out
	 * @param line where it is told
	 */
	void ended(RunRequest request, RunResults results, CommandLine line) {
		Answer answer = Answer.of(results);
		// The file is not there if nothing was measured
		Path report = Reports.page(request.out());
		boolean reported = Files.exists(report);
		PrintWriter out = line.getOut();
		if (this.quiet) {
			answer.sentences().forEach(out::println);
			if (reported) {
				out.println("Report: " + report);
			}
		}
		else {
			out.print(TerminalReport.render(results));
			if (reported) {
				out.println("\nReport: " + report.toUri());
			}
		}
		out.flush();
		if (results.status() == RunResults.Status.FAILED) {
			line.getErr().println("bench: " + results.failure());
		}
	}

}
