package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.report.HistoryReport;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench history}.
 */
@Command(name = "history", mixinStandardHelpOptions = true,
		description = "Shows one figure of many runs, as a Markdown table: a line per run, the oldest first, and a column "
				+ "per scenario.")
final class HistoryCommand implements Runnable {

	// One by one: of several at once, picocli leaves out those that can't be read
	@Parameters(index = "0..*", arity = "1", paramLabel = "run", converter = RunConverter.class,
			description = "The directories of the runs, or their results.json.")
	private List<NamedRun> runs = List.of();

	@Option(names = "--metric", paramLabel = "<name>", defaultValue = "cpu-per-request",
			description = "The figure (default: ${DEFAULT-VALUE}). Others are allocation, heap, memory, throughput, service-p99, overhead-p50.")
	private String metric = "";

	@Option(names = "--only", paramLabel = "<scenario>", split = ",",
			description = "Only scenarios whose id contains this, or matches it if it has a * or ?; "
					+ "may be repeated or separated by commas.")
	private List<String> only = List.of();

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		Metric chosen = Metric.named(this.metric)
			.orElseThrow(() -> usage("There is no metric '" + this.metric + "'; choose one of: "
					+ Arrays.stream(Metric.values()).map(Metric::key).collect(Collectors.joining(", "))));
		List<RunResults> results = this.runs.stream().map(NamedRun::results).toList();
		List<String> all = results.stream()
			.flatMap((run) -> run.scenarios().stream())
			.map(ScenarioResult::id)
			.distinct()
			.toList();
		List<String> ids = all.stream().filter(new ScenarioFilter(this.only)::matches).toList();
		if (ids.isEmpty()) {
			throw usage(all.isEmpty() ? "There is no measurement in these runs; name others"
					: "--only " + String.join(",", this.only) + " matches no scenario of these runs; choose from: "
							+ String.join(", ", all));
		}
		PrintWriter out = this.spec.commandLine().getOut();
		out.print(HistoryReport.render(results, chosen, ids));
		out.flush();
	}

	private ParameterException usage(String message) {
		return new ParameterException(this.spec.commandLine(), message);
	}

}
