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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class ExportCommand extends BenchCommand {

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

	@Option(names = "--duration", paramLabel = "<duration>", defaultValue = "60s",
			description = "Length of every measurement that does not end by iterations (default: ${DEFAULT-VALUE}).")
	private Duration duration = Duration.ZERO;

	@Option(names = "--warmup", paramLabel = "<duration>", defaultValue = "30s",
			description = "The same load before it, 0s for none (default: ${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ZERO;

	@Option(names = "--target", paramLabel = "<url>",
			description = "Where the requests go, as http://host:port or https://host:port. The files take another one when they are run "
					+ "(default: the url of the variant; http://localhost:8080 where the runner would start it).")
	private @Nullable URI target;

	@Option(names = "--seed", paramLabel = "<n>", defaultValue = "1",
			description = "The seed of the requests, where the tool takes one (default: ${DEFAULT-VALUE}).")
	private long seed;

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the files go; none is replaced (default: bench-export/<suite>-<tool>).")
	private @Nullable Path out;

	@Override
	public Integer call() {
		Suite chosen = Suites.find(this.suite, null);
		check("--duration", this.duration, "use 1s or more");
		if (!this.warmup.isZero()) {
			check("--warmup", this.warmup, "use 0s, or 1s and more");
		}
		Set<String> placeholders = new LinkedHashSet<>();
		List<ExportRequest> requests = this.selection.scenarios(chosen, this.full, this).stream().map((scenario) -> {
			URI known = (this.target != null) ? this.target : chosen.address(scenario.variant());
			if (known == null) {
				placeholders.add(scenario.variant().id());
			}
			return request(scenario, (known != null) ? known : PLACEHOLDER);
		}).toList();
		Path directory = (this.out != null) ? this.out
				: Path.of("bench-export", chosen.name() + "-" + this.format.key());
		PrintWriter printed = out();
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
		placeholders.forEach((variant) -> printed
			.println(variant + " is started by the runner, so its address is not known: the files send to "
					+ PLACEHOLDER + " unless told otherwise"));
		printed.println("Files: " + directory);
		printed.flush();
		return 0;
	}

	private void check(String option, Duration value, String hint) {
		if (value.toMillis() < 1000) {
			throw usage(option + " " + value.toMillis() + "ms is too short; " + hint);
		}
	}

	private ExportRequest request(Scenario scenario, URI address) {
		check(!scenario.variant().protocol().multiplexed() && !address.toString().startsWith("h2"),
				scenario.id() + " speaks HTTP/2, which only the runner's own engine does; choose others with --only");
		check(scenario.workload().mix().stream().noneMatch((type) -> type.expect().webSocket()), scenario.id()
				+ " opens WebSockets, which only the runner's own engine does; choose other loads with --only");
		if (scenario.load().p99Limit() != null) {
			throw usage(
					scenario.id() + " searches its highest rate, which only the runner does; choose a rate with --rate,"
							+ " or other loads with --only");
		}
		try {
			LoadPlan plan = new LoadPlan(scenario.id(), address, scenario.workload(), TIMEOUTS, this.seed);
			return new ExportRequest(plan, scenario.load().measurement("measurement", this.duration), this.warmup);
		}
		catch (IllegalArgumentException ex) {
			throw usage("--" + ex.getMessage());
		}
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

}
