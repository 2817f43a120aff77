package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.report.Answer;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.RunEvent;
import io.gatewaybench.benchmark.run.RunRequest;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is printed about a run: everything for people, only its answer for people, or
 * events for programs.
 */
final class RunOutput {

	// A locale without UTF-8 would spoil every other character
	private static final JsonMapper MAPPER = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

	@Option(names = "--quiet",
			description = "Print nothing but the answer and where the report is; errors go to standard error.")
	private boolean quiet;

	@Option(names = "--json",
			description = "Print an event per line as JSON, see docs/running.md. What people read goes to standard error.")
	private boolean json;

	Console console(CommandLine line) {
		return this.quiet ? Console.quiet() : Console.open((event) -> tell(event, line));
	}

	private void tell(RunEvent event, CommandLine line) {
		if (this.json) {
			line.getOut().println(MAPPER.writeValueAsString(event));
			line.getOut().flush();
		}
	}

	private PrintWriter forPeople(CommandLine line) {
		return this.json ? line.getErr() : line.getOut();
	}

	/**
	 * A run is over.
	 * @param request what was asked for
	 * @param results what was found out
	 * @param exitCode the exit code of the run
	 * @param line where it is told
	 */
	void ended(RunRequest request, RunResults results, int exitCode, CommandLine line) {
		Answer answer = Answer.of(results);
		// The file is not there if nothing was measured
		Path report = Reports.page(request.out());
		boolean reported = Files.exists(report);
		PrintWriter out = forPeople(line);
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
		tell(new RunEvent.RunEnded(request.suite().name(), exitCode, answer.sentences(),
				request.out().resolve(ResultsFile.NAME).toString(), reported ? report.toString() : null,
				results.failure()), line);
	}

	/**
	 * A run has failed and left no results.
	 * @param request what was asked for
	 * @param exitCode the exit code of the run
	 * @param failure why
	 * @param line where it is told
	 */
	void failed(RunRequest request, int exitCode, RuntimeException failure, CommandLine line) {
		tell(new RunEvent.RunEnded(request.suite().name(), exitCode, List.of(), null, null,
				(failure.getMessage() != null) ? failure.getMessage() : failure.toString()), line);
	}

	/**
	 * All studies are over.
	 * @param exitCode the exit code
	 * @param page the page over all reports
	 * @param line where it is told
	 */
	void allEnded(int exitCode, Path page, CommandLine line) {
		forPeople(line).println("All studies: " + page);
		tell(new RunEvent.AllEnded(exitCode, page.toString()), line);
	}

}
