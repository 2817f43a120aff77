package io.gatewaybench.benchmark;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.ForkedLoadEngine;
import io.gatewaybench.benchmark.faults.Fault;
import io.gatewaybench.benchmark.faults.FaultRequest;
import io.gatewaybench.benchmark.faults.FaultRunner;
import io.gatewaybench.benchmark.report.FaultReport;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.run.Interruption;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench faults}.
 */
@Command(name = "faults", mixinStandardHelpOptions = true,
		description = "Shows what clients see when something goes wrong, in about 10 minutes for each gateway.")
final class FaultsCommand extends BenchCommand {

	@Option(names = "--flavour", paramLabel = "<gateway>", split = ",", defaultValue = "webflux,webmvc-vt",
			description = "The gateways: webflux, webmvc-vt, webmvc (default: ${DEFAULT-VALUE}).")
	private List<String> flavours = List.of();

	@Option(names = "--only", paramLabel = "<fault>", split = ",",
			description = "Only these faults: ${COMPLETION-CANDIDATES} (default: all).")
	private List<Fault> only = List.of();

	@Option(names = "--rate", paramLabel = "<n>", defaultValue = "1000",
			description = "Requests per second, sent whatever the answers (default: ${DEFAULT-VALUE}).")
	private double rate;

	@Option(names = "--warmup", paramLabel = "<duration>", defaultValue = "75s",
			description = "Load before the first fault of a gateway, at most (default: ${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ZERO;

	@Option(names = "--before", paramLabel = "<duration>", defaultValue = "2s",
			description = "Load before a fault (default: ${DEFAULT-VALUE}).")
	private Duration before = Duration.ZERO;

	@Option(names = "--length", paramLabel = "<duration>", defaultValue = "5s",
			description = "Length of a fault (default: ${DEFAULT-VALUE}).")
	private Duration length = Duration.ZERO;

	// An instance that is ejected at once is tried again 1, 3, 7 and 15 s later
	@Option(names = "--after", paramLabel = "<duration>", defaultValue = "7s",
			description = "Load after a fault in which an instance fails (default: ${DEFAULT-VALUE}).")
	private Duration after = Duration.ZERO;

	@Option(names = "--heap", paramLabel = "<size>", defaultValue = "512m",
			description = "Heap of every gateway, -Xms and -Xmx (default: ${DEFAULT-VALUE}).")
	private Heap heap = Heap.parse("512m");

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the results go (default: bench-results/faults-<time>).")
	private @Nullable Path out;

	@Override
	public Integer call() {
		FaultRequest request = request();
		try (Interruption interruption = new Interruption()) {
			FaultResults results = run(request, interruption);
			out().print(new FaultReport(results).toText());
			out().flush();
			return exitCode(results);
		}
	}

	private static FaultResults run(FaultRequest request, Interruption interruption) {
		Installation installation = Installation.current();
		try (Console console = Console.open()) {
			return new FaultRunner(installation,
					(directory, prefix) -> new ForkedLoadEngine(installation.generatorCommand(prefix), directory),
					console)
				.run(request, interruption);
		}
	}

	FaultRequest request() {
		checkRange("--rate", this.rate, 1, 1_000_000);
		check(Stream.of(this.before, this.length, this.after).allMatch((part) -> part.toMillis() >= 1000),
				"--before, --length and --after take a second at least");
		FaultResults.Settings settings = new FaultResults.Settings(this.rate, this.heap.text(), this.warmup,
				this.before, this.length, this.after);
		return new FaultRequest(this.flavours.stream().distinct().map(this::gateway).toList(),
				this.only.isEmpty() ? List.of(Fault.values()) : this.only.stream().distinct().toList(), settings,
				this.heap, (this.out != null) ? this.out : OutputDirectory.named("faults", LocalDateTime.now()),
				arguments());
	}

	private Variant gateway(String id) {
		return Suites.faulty()
			.stream()
			.filter((variant) -> variant.id().equals(id))
			.findFirst()
			.orElseThrow(() -> usage("There is no gateway '" + id + "'; choose from: "
					+ Suites.faulty().stream().map(Variant::id).collect(Collectors.joining(", "))));
	}

	static int exitCode(FaultResults results) {
		if (results.status() == RunResults.Status.INTERRUPTED) {
			return Bench.INTERRUPTED;
		}
		return (results.balanced() && results.held()) ? 0 : Bench.FAILED;
	}

}
