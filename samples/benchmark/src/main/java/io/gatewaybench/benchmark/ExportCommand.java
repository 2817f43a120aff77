package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatewaybench.benchmark.export.ExportFormat;
import io.gatewaybench.benchmark.export.ExportRequest;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;

/**
 * {@code bench export}.
 */
@Command(name = "export", mixinStandardHelpOptions = true,
		description = "Writes the loads of a suite as files for JMeter or k6, and prints what their format can't say.")
final class ExportCommand implements Runnable {

	private static final URI PLACEHOLDER = URI.create("http://localhost:8080");

	private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));

	@Parameters(paramLabel = "suite",
			description = "The suite, see bench list, or the YAML file of your own comparison, see bench new.")
	private String suite = "";

	@Option(names = "--format", paramLabel = "<tool>", required = true,
			description = "The tool: ${COMPLETION-CANDIDATES}.")
	private ExportFormat format = ExportFormat.K6;

	@Mixin
	private ScenarioOptions selection = new ScenarioOptions();

	@Option(names = "--full", description = "Export the loads of bench run --full.")
	private boolean full;

	@Option(names = "--duration", paramLabel = "<duration>", converter = DurationConverter.class, defaultValue = "60s",
			description = "Length of every measurement that does not end by iterations (default: ${DEFAULT-VALUE}).")
	private Duration duration = Duration.ZERO;

	@Option(names = "--warmup", paramLabel = "<duration>", converter = DurationConverter.class, defaultValue = "30s",
			description = "The same load before it, 0s for none (default: ${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ZERO;

	@Option(names = "--target", paramLabel = "<url>",
			description = "Where the requests go, as http://host:port. The files take another one when they are run "
					+ "(default: the url of the variant; http://localhost:8080 where the runner would start it).")
	private @Nullable URI target;

	@Option(names = "--seed", paramLabel = "<n>", defaultValue = "1",
			description = "The seed of the requests, where the tool takes one (default: ${DEFAULT-VALUE}).")
	private long seed;

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the files go; none is replaced (default: bench-export/<suite>-<tool>).")
	private @Nullable Path out;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		Suite chosen = Suites.find(this.suite, null);
		List<ExportRequest> requests = requests(chosen);
		Path directory = (this.out != null) ? this.out
				: Path.of("bench-export", chosen.name() + "-" + this.format.key());
		PrintWriter printed = this.spec.commandLine().getOut();
		Map<String, List<String>> notes = new LinkedHashMap<>();
		for (ExportRequest request : requests) {
			ExportFormat.Export export = this.format.export(request);
			write(directory, export.file(), export.content());
			export.notes()
				.forEach((note) -> notes.computeIfAbsent(note, (any) -> new ArrayList<>()).add(request.plan().id()));
			printed.println(export.command());
		}
		notes.forEach((note, loads) -> printed.println(this.format.title()
				+ ((loads.size() < requests.size()) ? ", " + String.join(", ", loads) : "") + ": " + note));
		placeholders(chosen).forEach((variant) -> printed
			.println(variant + " is started by the runner, so its address is not known: the files send to "
					+ PLACEHOLDER + " unless told otherwise"));
		printed.println("Files: " + directory);
		printed.flush();
	}

	private List<ExportRequest> requests(Suite chosen) {
		if (this.duration.toMillis() < 1000) {
			throw usage("--duration " + this.duration.toMillis() + "ms is too short; use 1s or more");
		}
		if (!this.warmup.isZero() && this.warmup.toMillis() < 1000) {
			throw usage("--warmup " + this.warmup.toMillis() + "ms is too short; use 0s, or 1s and more");
		}
		return scenarios(chosen).stream().map((scenario) -> request(chosen, scenario)).toList();
	}

	private List<Scenario> scenarios(Suite chosen) {
		return this.selection.scenarios(chosen, this.full);
	}

	private ExportRequest request(Suite chosen, Scenario scenario) {
		if (scenario.load().p99Limit() != null) {
			throw usage(
					scenario.id() + " searches its highest rate, which only the runner does; choose a rate with --rate,"
							+ " or other loads with --only");
		}
		URI known = (this.target != null) ? this.target : chosen.address(scenario.variant());
		try {
			LoadPlan plan = new LoadPlan(scenario.id(), (known != null) ? known : PLACEHOLDER, scenario.workload(),
					TIMEOUTS, this.seed);
			return new ExportRequest(plan, scenario.load().measurement("measurement", this.duration), this.warmup);
		}
		catch (IllegalArgumentException ex) {
			throw usage("--" + ex.getMessage());
		}
	}

	private Set<String> placeholders(Suite chosen) {
		Set<String> variants = new LinkedHashSet<>();
		scenarios(chosen).stream()
			.map(Scenario::variant)
			.filter((variant) -> this.target == null && chosen.address(variant) == null)
			.forEach((variant) -> variants.add(variant.id()));
		return variants;
	}

	private static void write(Path directory, String name, String content) {
		Path file = directory.resolve(name);
		try {
			Files.createDirectories(directory);
			Files.writeString(file, content, StandardOpenOption.CREATE_NEW);
		}
		catch (FileAlreadyExistsException ex) {
			throw new BenchFailure(file + " is there already; remove it, or choose another directory with --out.", ex);
		}
		catch (IOException ex) {
			throw new BenchFailure(file + " can't be written: " + ex + "; choose another directory with --out.", ex);
		}
	}

	private ParameterException usage(String message) {
		return new ParameterException(this.spec.commandLine(), message);
	}

}
