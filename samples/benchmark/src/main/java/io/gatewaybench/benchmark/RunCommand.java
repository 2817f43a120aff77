package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.jmeter.AgentKey;
import io.gatewaybench.benchmark.jmeter.JmeterLoadEngine;
import io.gatewaybench.benchmark.load.ForkedLoadEngine;
import io.gatewaybench.benchmark.load.Protocol;
import io.gatewaybench.benchmark.report.Answer;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.StudiesReport;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.Interruption;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.run.Runner;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.threshold.Thresholds;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Launcher;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench run}.
 */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Runs a suite: starts backends and gateways, loads them, writes the results and a report.")
final class RunCommand extends BenchCommand {

	private static final String ALL = "all";

	private static final Set<String> FOR_ALL = Set.of("--full", "--time", "--precision", "--margin", "--starts",
			"--rounds", "--slice", "--warmup", "--heap", "--out", "--seed", "--pin", "--profile", "--quiet",
			"--verbose");

	private static final Duration TIME = Duration.ofMinutes(8);

	private static final Duration FULL_TIME = Duration.ofHours(1);

	// In the segments of several hosts, which can't agree on more while they run
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	@Parameters(arity = "0..1", paramLabel = "suite", defaultValue = "gateway",
			description = "A suite of bench list, the YAML file of your own (see bench new), or all: each that has a study "
					+ "(default: ${DEFAULT-VALUE}).")
	private String suite = "gateway";

	@Mixin
	private ScenarioOptions selection = new ScenarioOptions();

	@Option(names = "--quiet", description = "Print nothing but the answer and where the report is.")
	private boolean quiet;

	@Option(names = "--time", paramLabel = "<duration>",
			description = "How long the run may take (default: 8m, with --full 1h, with --starts as long as it takes).")
	private @Nullable Duration time;

	@Option(names = "--precision", paramLabel = "<percent>", converter = Converters.Percent.class,
			description = "Half the width of the main interval at which the run ends (default: 5%%, with --full 2%%).")
	private @Nullable Double precision;

	@Option(names = "--margin", paramLabel = "<percent>", converter = Converters.Percent.class, defaultValue = "10%",
			description = "What makes no difference to you (default: 10%%).")
	private double margin = 0.1;

	@Option(names = "--starts", paramLabel = "<n>",
			description = "How often all gateways are started (default: three times, or more for the precision).")
	private @Nullable Integer starts;

	@Option(names = "--rounds", paramLabel = "<n>",
			description = "How many rounds of slices a start has (default: 4 to 10, as there is time).")
	private @Nullable Integer rounds;

	@Option(names = "--slice", paramLabel = "<duration>", defaultValue = "2s",
			description = "Length of a slice whose load does not end by itself (default: ${DEFAULT-VALUE}).")
	private Duration slice = Duration.ofSeconds(2);

	@Option(names = "--warmup", paramLabel = "<duration>", defaultValue = "240s",
			description = "The most CPU time of a gateway that its warm-up takes, 0s for none (default: ${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ofSeconds(240);

	@Option(names = "--full", description = "Also the variants and loads that a usual run leaves out to save time.")
	private boolean full;

	@Option(names = "--engine", paramLabel = "<name>", defaultValue = ForkedLoadEngine.NAME,
			description = "What sends the requests: embedded or jmeter (default: ${DEFAULT-VALUE}).")
	private String engine = ForkedLoadEngine.NAME;

	@Option(names = "--agents", paramLabel = "<host>[:<port>]", split = ",",
			description = "With --engine jmeter, the hosts that run ./bench agent and share the load.")
	private List<InetSocketAddress> agents = List.of();

	@Option(names = "--agent-key", paramLabel = "<file>", defaultValue = AgentKey.NAME,
			description = "The key that the agents have, see bench agent (default: ${DEFAULT-VALUE}).")
	private Path agentKey = Path.of(AgentKey.NAME);

	@Option(names = "--pin", description = "Half of the cores for the gateway, the other half for all others (Linux).")
	private boolean pin;

	@Option(names = "--hosts", paramLabel = "<file>",
			description = "A YAML file that says what runs on which hosts, see docs/guides/several-hosts.md.")
	private @Nullable Path hosts;

	@Option(names = "--fail-if", paramLabel = "<condition>",
			description = "What must not hold, such as \"webflux.service-p99 > 400ms\", see docs/reference/suite-keys.md; "
					+ "may be repeated. Exit code 1 if it holds, 4 if that can't be told.")
	private List<String> failIf = List.of();

	@Option(names = "--heap", paramLabel = "<size>",
			description = "Heap of every gateway, -Xms and -Xmx (default: 2g, or 512m where the memory is too small).")
	private @Nullable Heap heap;

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the results go (default: bench-results/<suite>-<time>).")
	private @Nullable Path out;

	@Option(names = "--seed", paramLabel = "<n>",
			description = "Decides the order of scenarios and requests (default: a random one).")
	private @Nullable Long seed;

	@Option(names = "--profile",
			description = "Draw a flame graph of each gateway, after the rounds of the first start.")
	private boolean profile;

	@Override
	public Integer call() {
		// Open until the report is printed: after Ctrl-C, the JVM ends when this is
		// closed
		try (Interruption interruption = new Interruption()) {
			return this.suite.equals(ALL) ? all(interruption) : exitCode(run(request(), interruption));
		}
	}

	private int all(Interruption interruption) {
		for (OptionSpec option : line().getParseResult().matchedOptions()) {
			check(FOR_ALL.contains(option.longestName()),
					option.longestName() + " is for one suite, and not for " + ALL + "; leave it out");
		}
		Path directory = (this.out != null) ? this.out : OutputDirectory.named(ALL, LocalDateTime.now());
		StudiesReport report = new StudiesReport(directory);
		List<Integer> codes = new ArrayList<>();
		for (Suite study : Suites.studies()) {
			if (codes.contains(Bench.INTERRUPTED)) {
				break;
			}
			RunRequest request = request(study, directory.resolve(study.name()));
			report.begin(study);
			try {
				RunResults results = run(request, interruption);
				report.end(results);
				codes.add(exitCode(results));
			}
			catch (BenchFailure ex) {
				line().getErr().println("bench: " + study.name() + ": " + ex.getMessage());
				report.fail(String.valueOf(ex.getMessage()));
				codes.add(Bench.NOT_MEASURED);
			}
		}
		int code = Stream.of(Bench.INTERRUPTED, Bench.FAILED, Bench.NOT_MEASURED, Bench.UNDECIDED)
			.filter(codes::contains)
			.findFirst()
			.orElse(0);
		out().println("All studies: " + report.file());
		return code;
	}

	private RunResults run(RunRequest request, Interruption interruption) {
		Installation installation = Installation.current();
		RunResults results;
		try (Console console = this.quiet ? Console.quiet() : Console.open()) {
			results = new Runner(installation,
					(directory, prefix) -> jmeter()
							? new JmeterLoadEngine(directory, prefix, this.agents, this.agentKey)
							: new ForkedLoadEngine(installation.generatorCommand(prefix), directory),
					console)
				.run(request, interruption);
		}
		tell(request, results);
		return results;
	}

	void tell(RunRequest request, RunResults results) {
		PrintWriter out = out();
		if (this.quiet) {
			Answer.of(results).sentences().forEach(out::println);
		}
		else {
			out.print(TerminalReport.render(results));
		}
		// The file is not there if nothing was measured
		Path report = Reports.page(request.out());
		if (Files.exists(report)) {
			out.println(this.quiet ? "Report: " + report : "\nReport: " + report.toUri());
		}
		out.flush();
		if (results.status() == RunResults.Status.FAILED) {
			line().getErr().println("bench: " + results.failure());
		}
	}

	RunRequest request() {
		Suite chosen = Suites.find(this.suite, this.hosts);
		return request(chosen,
				(this.out != null) ? this.out : OutputDirectory.named(chosen.name(), LocalDateTime.now()));
	}

	private RunRequest request(Suite suite, Path directory) {
		List<Scenario> wanted = this.selection.scenarios(suite, this.full, this);
		List<String> absent = wanted.stream()
			.map((each) -> each.variant().absent())
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		List<Scenario> scenarios = Scenario
			.named(wanted.stream().filter((each) -> each.variant().absent() == null).toList());
		check(absent.isEmpty() || !(this.selection.chosen() || scenarios.isEmpty()),
				"This can't run: " + String.join(". ", absent));
		absent.forEach((each) -> line().getErr().println("bench: left out: " + each));
		Suite chosen = suite.advising(absent.stream().map((each) -> "Left out: " + each + ".").toList());
		checkAgents();
		check(this.slice.toMillis() >= 500, "--slice " + this.slice.toMillis() + "ms is too short; use 500ms or more");
		check(this.time == null || this.time.toSeconds() >= 30, "--time is too short; use 30s or more");
		checkRange("--starts", this.starts, 1, 1000);
		checkRange("--rounds", this.rounds, 1, 1000);
		for (Scenario scenario : jmeter() ? scenarios : List.<Scenario>of()) {
			String objection = JmeterLoadEngine.objection(scenario.workload(),
					scenario.load().measurement(scenario.id(), this.slice), this.agents.size());
			check(scenario.variant().protocol() == Protocol.HTTP, "--engine " + this.engine
					+ " speaks HTTP/1.1 without TLS only; choose others than " + scenario.id() + " with --only");
			check(objection == null, "--engine " + this.engine + " " + objection + ", or leave out --engine");
		}
		int gateways = RunPlan.processes(scenarios.stream().map(Scenario::variant).toList());
		Heap published = Heap.parse("2g");
		Heap size = (this.heap != null) ? this.heap : published.fits(gateways) ? published : Heap.parse("512m");
		int atOnce = size.mostAtOnce();
		check(atOnce > 1 || gateways <= atOnce, size.objection(gateways));
		Duration limit = (this.time != null) ? this.time : (this.starts != null) ? null : this.full ? FULL_TIME : TIME;
		RunResults.Settings settings = new RunResults.Settings(this.slice,
				(this.precision != null) ? this.precision : this.full ? 0.02 : 0.05, limit, this.starts, this.rounds,
				this.warmup, size.text(), TIMEOUT,
				(this.seed != null) ? this.seed : ThreadLocalRandom.current().nextInt(1, 1_000_000), this.pin,
				this.engine);
		RunPlan plan = RunPlan.of(chosen, scenarios, settings, question(chosen, scenarios), atOnce, this.profile);
		return new RunRequest(chosen, scenarios, plan, Thresholds.of(this.failIf, chosen, scenarios), size, directory,
				Launcher.PATIENCE, arguments());
	}

	/**
	 * What the suite is run for, or what can be told of variants whose processes nobody
	 * can look at.
	 */
	private MainQuestion question(Suite chosen, List<Scenario> scenarios) {
		String wanted = chosen.question().load();
		String load = scenarios.stream()
			.map((scenario) -> scenario.load().id())
			.filter((id) -> id.equals(wanted))
			.findFirst()
			.orElse(scenarios.getLast().load().id());
		Metric metric = Metric.named(chosen.question().metric()).orElseThrow();
		boolean visible = scenarios.stream()
			.anyMatch((each) -> !(each.variant().component() instanceof Component.Remote remote)
					|| remote.actuator() != null);
		if (metric == Metric.CPU && !visible) {
			metric = (scenarios.getLast().load().rate() > 0) ? Metric.SLO_P99 : Metric.THROUGHPUT;
		}
		return new MainQuestion(metric, load, this.margin);
	}

	private void checkAgents() {
		if (!this.agents.isEmpty()) {
			check(jmeter(), "--agents needs an engine that has agents; choose --engine jmeter");
			check(this.agents.stream().distinct().count() == this.agents.size(),
					"--agents names an agent twice; start another one on that host with another port");
			AgentKey.check(this.agentKey);
		}
	}

	private boolean jmeter() {
		check(List.of(ForkedLoadEngine.NAME, JmeterLoadEngine.NAME).contains(this.engine),
				"--engine %s is not there; choose one of: %s, %s".formatted(this.engine, ForkedLoadEngine.NAME,
						JmeterLoadEngine.NAME));
		return this.engine.equals(JmeterLoadEngine.NAME);
	}

	static int exitCode(RunResults results) {
		if (results.status() == RunResults.Status.INTERRUPTED) {
			return Bench.INTERRUPTED;
		}
		if (results.scenarios().stream().anyMatch((each) -> !each.failures().isEmpty())
				|| results.hasThreshold(Outcome.FAILED)) {
			return Bench.FAILED;
		}
		// Where nothing is compared, the figures are the answer
		boolean whole = results.scenarios().stream().map(ScenarioResult::id).toList().containsAll(results.planned());
		boolean answered = !results.slices().isEmpty() && (!results.answers().isEmpty() || whole);
		if (results.status() != RunResults.Status.COMPLETE || !answered || !results.cold(true).isEmpty()) {
			return Bench.NOT_MEASURED;
		}
		return results.hasThreshold(Outcome.INCONCLUSIVE) ? Bench.UNDECIDED : 0;
	}

}
