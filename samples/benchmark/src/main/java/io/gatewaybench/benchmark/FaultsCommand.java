package io.gatewaybench.benchmark;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;
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
		description = "Shows what clients see when something goes wrong with an instance, a client, the configuration or "
				+ "the gateway itself, in about 10 minutes for each gateway. The exit code tells whether everything held "
				+ "that must.")
final class FaultsCommand extends BenchCommand {

	@Option(names = "--flavour", paramLabel = "<gateway>", split = ",", defaultValue = "webflux,webmvc-vt",
			description = "The gateways: webflux, webmvc-vt, webmvc (default: ${DEFAULT-VALUE}).")
	private List<String> flavours = List.of();

	@Option(names = "--only", paramLabel = "<fault>", split = ",",
			description = "Only these faults: kill (the process, and started again at the end), restart (killed, and at "
					+ "once started), freeze (the process stands still), refuse (new connections are refused, open "
					+ "ones reset), reset (in the middle of a body), error (500), slow (500 ms instead of 5 ms), slow-least-requests (slow, "
					+ "where the instance with fewer requests is chosen), closing (connections that end without saying so), aborted-uploads and malformed-uploads (by clients), "
					+ "slow-readers (clients), early-responses (before the body of an upload has come), "
					+ "interim-responses (100, 102 and 103 before a response), breaker (500, on a route with a circuit "
					+ "breaker), gateway-retries (500, on a route with the gateway's own retries), refresh (of the "
					+ "instances, again and again), address-change (of an instance), tls-silence (of an instance with "
					+ "https), pool-exhaustion (slow, with few connections), standstill (of the gateway); default: all.")
	private List<String> only = List.of();

	@Option(names = "--rate", paramLabel = "<n>", defaultValue = "1000",
			description = "Requests per second, sent whatever the answers (default: ${DEFAULT-VALUE}).")
	private double rate;

	@Option(names = "--warmup", paramLabel = "<duration>", defaultValue = "75s",
			description = "Load before the first fault of a gateway, at most, in cycles of 5 s (default: "
					+ "${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ZERO;

	@Option(names = "--before", paramLabel = "<duration>", defaultValue = "2s",
			description = "Load before a fault (default: ${DEFAULT-VALUE}).")
	private Duration before = Duration.ZERO;

	@Option(names = "--length", paramLabel = "<duration>", defaultValue = "5s",
			description = "Length of a fault (default: ${DEFAULT-VALUE}).")
	private Duration length = Duration.ZERO;

	// An instance that is ejected at once is tried again 1, 3, 7 and 15 s later
	@Option(names = "--after", paramLabel = "<duration>", defaultValue = "7s",
			description = "Load after a fault, 2s at most after one in which no instance fails (default: "
					+ "${DEFAULT-VALUE}).")
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
		return new FaultRequest(this.flavours.stream().distinct().map(this::gateway).toList(), faults(), settings,
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

	private List<Fault> faults() {
		return this.only.isEmpty() ? List.of(Fault.values()) : this.only.stream().distinct().map(this::fault).toList();
	}

	private Fault fault(String id) {
		return Fault.named(id)
			.orElseThrow(() -> usage("There is no fault '" + id + "'; choose from: "
					+ Arrays.stream(Fault.values()).map(Fault::id).collect(Collectors.joining(", "))));
	}

	static int exitCode(FaultResults results) {
		if (results.status() == RunResults.Status.INTERRUPTED) {
			return Bench.INTERRUPTED;
		}
		return (results.balanced() && results.held()) ? 0 : Bench.FAILED;
	}

}
