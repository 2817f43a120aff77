package io.gatewaybench.benchmark;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.gatewaybench.benchmark.result.Coverage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.StartPrior;
import io.gatewaybench.benchmark.statistics.BetweenStarts;

/**
 * {@code bench calibrate}.
 */
@Command(name = "calibrate", mixinStandardHelpOptions = true,
		description = "Tells how much the ratios of runs differ from one start to the next, without what rounds differ by: "
				+ "what the project knows of it is in between-starts.json, and makes intervals of few starts honest. "
				+ "Also tells how often the intervals of shorter runs contain what all starts of a run have shown.")
final class CalibrateCommand implements Runnable {

	@Parameters(arity = "1..*", paramLabel = "<run>",
			description = "Directories of runs of several starts each, such as run calibration --starts 20.")
	private List<Path> runs = List.of();

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		Map<String, BetweenStarts> known = new LinkedHashMap<>();
		List<RunResults> results = this.runs.stream().map(ResultsFile::read).toList();
		StartPrior.of(results).forEach((metric, spread) -> known.put(metric.key(), spread));
		this.spec.commandLine()
			.getOut()
			.println(JsonMapper.builder()
				.enable(SerializationFeature.INDENT_OUTPUT)
				.build()
				.writeValueAsString(new Calibration(known, Coverage.of(results))));
		this.spec.commandLine().getOut().flush();
	}

	private record Calibration(Map<String, BetweenStarts> metrics, List<Coverage> coverage) {
	}

}
