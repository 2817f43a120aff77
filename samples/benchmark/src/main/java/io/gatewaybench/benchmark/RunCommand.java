package io.gatewaybench.benchmark;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.engine.ForkedLoadEngine;
import io.gatewaybench.benchmark.engine.LoadEngineException;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.jmeter.AgentKey;
import io.gatewaybench.benchmark.jmeter.JmeterLoadEngine;
import io.gatewaybench.benchmark.report.StudiesReport;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.Heap;
import io.gatewaybench.benchmark.run.Installation;
import io.gatewaybench.benchmark.run.Interruption;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.run.Placement;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.run.Runner;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.threshold.Thresholds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench run}.
 */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Runs a suite: starts backends and gateways, loads them, writes the results and a report.")
final class RunCommand implements Callable<Integer> {

	private static final String ALL = "all";

	private static final Set<String> FOR_ALL = Set.of("--duration", "--full", "--warmup", "--blocks", "--heap", "--out",
			"--seed", "--pin", "--grouping", "--profile", "--quiet", "--json", "--verbose");

	private static final int FULL_BLOCKS = 10;

	private static final int MOST_BLOCKS_IN_TIME = 5;

	private static final int STARTS = 3;

	private static final Duration TIME_LIMIT = Duration.ofMinutes(10);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Duration GATEWAY_PATIENCE = Duration.ofSeconds(60);

	@Parameters(arity = "0..1", paramLabel = "suite", defaultValue = "gateway",
			description = "The suite to run (default: ${DEFAULT-VALUE}), see bench list; the YAML file of your own "
					+ "comparison, see bench new; or all: every suite that reproduces a study, with one page over their reports.")
	private String suite = "gateway";

	@Mixin
	private ScenarioOptions selection = new ScenarioOptions();

	@ArgGroup
	private Length length = new Length();

	@ArgGroup(exclusive = false)
	private @Nullable SegmentOptions part;

	@ArgGroup
	private RunOutput output = new RunOutput();

	@Option(names = "--warmup", paramLabel = "<duration>", converter = DurationConverter.class,
			description = "Load before the measurements of a gateway at most, 0s for none; ends earlier when the "
					+ "gateway's CPU time per request is steady (default: 100s, with --full 225s).")
	private @Nullable Duration warmup;

	@Option(names = { "--blocks", "--repeat" }, paramLabel = "<n>",
			description = "Number of blocks, each with every variant once (default: as many as fit in 10 minutes, at least 3 "
					+ "in turns and 1 with fresh gateways; with --full, with --starts and in duets 10).")
	private @Nullable Integer blocks;

	@Option(names = "--starts", paramLabel = "<n>",
			description = "How often each gateway that stays is started, with an equal part of the blocks each time. One start "
					+ "leaves out of the intervals what one start of a JVM differs from the next (default: 1 in turns within 10 minutes, otherwise 3).")
	private @Nullable Integer starts;

	@Option(names = "--design", paramLabel = "<how>",
			description = "fresh: fresh gateways in every block; turns: gateways stay from block to block, and take turns; duets: "
					+ "each stays, and runs at the same time as the one it is compared with. The last two need fewer warm-ups; "
					+ "see --starts (default: as the suite says).")
	private @Nullable Design design;

	@Option(names = "--engine", paramLabel = "<name>", defaultValue = ForkedLoadEngine.NAME,
			description = "What sends the requests: embedded; or jmeter, also from several hosts, see --agents (default: "
					+ "${DEFAULT-VALUE}).")
	private String engine = ForkedLoadEngine.NAME;

	@Option(names = "--agents", paramLabel = "<host>[:<port>]", split = ",", converter = AgentConverter.class,
			description = "With --engine jmeter: the hosts that send, each with ./bench agent running. Users and rates are "
					+ "divided among them (default: one agent on this machine).")
	private List<InetSocketAddress> agents = List.of();

	@Option(names = "--agent-key", paramLabel = "<file>", defaultValue = AgentKey.NAME,
			description = "The key that the agents have, see bench agent (default: ${DEFAULT-VALUE}).")
	private Path agentKey = Path.of(AgentKey.NAME);

	@Option(names = "--pin",
			description = "Give the gateway half of the cores, and everybody else the other half (Linux).")
	private boolean pin;

	@Option(names = "--grouping", paramLabel = "<how>",
			description = "own: gateway, generator and backends have a control group of their own each, or a session where "
					+ "the runner may make no groups. So Linux shares the cores among them, as among services and "
					+ "containers. shared: they are in the runner's session, and all threads share the cores "
					+ "(default: own on Linux, otherwise shared).")
	private @Nullable Grouping grouping;

	@Option(names = "--hosts", paramLabel = "<file>",
			description = "A YAML file that says which components and variants run on which hosts, over SSH; see "
					+ "docs/beyond-one-machine.md.")
	private @Nullable Path hosts;

	@Option(names = "--fail-if", paramLabel = "<condition>",
			description = "What must not hold, such as \"webmvc.cpu-per-request > 1.10 * webflux.cpu-per-request\" or "
					+ "\"webflux.service-p99 > 400ms\", see docs/suites.md; may be repeated, and is added to fail-if of the suite. "
					+ "Exit code 4 if it holds under a load, 5 if that can't be told.")
	private List<String> failIf = List.of();

	@Option(names = "--heap", paramLabel = "<size>", converter = HeapConverter.class,
			description = "Heap of every gateway, -Xms and -Xmx (default: 2g; in duets, and where the memory is too small for all gateways that take turns, 512m).")
	private @Nullable Heap heap;

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the results go (default: bench-results/<suite>-<time>).")
	private @Nullable Path out;

	@Option(names = "--seed", paramLabel = "<n>",
			description = "Decides the order of the scenarios and the sequence of the requests (default: a random one).")
	private @Nullable Long seed;

	@Option(names = "--profile", paramLabel = "<how>",
			description = "jfr: after all measurements, run every variant once more under Flight Recorder, and draw a flame graph "
					+ "into the report (default: no profile).")
	private @Nullable Profiler profile;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	/**
	 * What makes profiles.
	 */
	private enum Profiler {

		/**
		 * Flight Recorder.
		 */
		JFR

	}

	/**
	 * Two ways to say how long a measurement is.
	 */
	static final class Length {

		@Option(names = "--duration", paramLabel = "<duration>", converter = DurationConverter.class,
				description = "Length of every measurement that does not end by iterations (default: 8s).")
		private Duration duration = Duration.ofSeconds(8);

		@Option(names = "--full",
				description = "Take the time that certainty needs: the published rounds where the suite has fewer otherwise, "
						+ "300 s per measurement by time, 10 blocks, warm-up in cycles of 15 s.")
		private boolean full;

		Duration duration() {
			return this.full ? Duration.ofSeconds(300) : this.duration;
		}

		Duration warmup() {
			return Duration.ofSeconds(this.full ? 225 : 100);
		}

	}

	@Override
	public Integer call() {
		// Open until the report is printed: after Ctrl-C, the JVM ends when this is
		// closed
		try (Interruption interruption = new Interruption()) {
			return this.suite.equals(ALL) ? all(interruption) : exitCode(run(request(), interruption));
		}
	}

	private int all(Interruption interruption) {
		this.spec.commandLine()
			.getParseResult()
			.matchedOptions()
			.stream()
			.map(OptionSpec::longestName)
			.filter((option) -> !FOR_ALL.contains(option))
			.findFirst()
			.ifPresent((option) -> {
				throw usage(option + " is for one suite, and not for " + ALL + "; leave it out");
			});
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
			catch (BenchFailure | LoadEngineException ex) {
				this.spec.commandLine().getErr().println("bench: " + study.name() + ": " + ex.getMessage());
				report.fail(String.valueOf(ex.getMessage()));
				codes.add(Bench.FAILED);
			}
		}
		int code = Stream
			.of(Bench.INTERRUPTED, Bench.FAILED, Bench.THRESHOLD_FAILED, Bench.THRESHOLD_INCONCLUSIVE, Bench.INVALID)
			.filter(codes::contains)
			.findFirst()
			.orElse(0);
		this.output.allEnded(code, report.file(), this.spec.commandLine());
		return code;
	}

	private RunResults run(RunRequest request, Interruption interruption) {
		try {
			RunResults results = measure(request, interruption);
			this.output.ended(request, results, exitCode(results), this.spec.commandLine());
			return results;
		}
		catch (RuntimeException ex) {
			this.output.failed(request, interruption.requested() ? Bench.INTERRUPTED : Bench.FAILED, ex,
					this.spec.commandLine());
			throw ex;
		}
	}

	private RunResults measure(RunRequest request, Interruption interruption) {
		boolean jmeter = jmeter();
		Installation installation = Installation.current();
		try (Console console = this.output.console(this.spec.commandLine())) {
			return new Runner(installation,
					(directory, prefix) -> jmeter ? new JmeterLoadEngine(directory, prefix, this.agents, this.agentKey)
							: new ForkedLoadEngine(installation.generatorCommand(prefix), directory),
					console)
				.run(request, interruption);
		}
	}

	RunRequest request() {
		Suite chosen = Suites.find(this.suite, this.hosts);
		return request(chosen,
				(this.out != null) ? this.out : OutputDirectory.named(chosen.name(), LocalDateTime.now()));
	}

	private RunRequest request(Suite chosen, Path directory) {
		List<Scenario> scenarios = Scenario.named(this.selection.scenarios(chosen, this.length.full));
		checkAgents();
		boolean jmeter = jmeter();
		scenarios.stream()
			.filter((scenario) -> jmeter)
			.map((scenario) -> JmeterLoadEngine.objection(scenario.workload(),
					scenario.load().measurement(scenario.id(), this.length.duration()), this.agents.size()))
			.filter(Objects::nonNull)
			.findFirst()
			.ifPresent((objection) -> {
				throw usage("--engine " + this.engine + " " + objection + ", or leave out --engine");
			});
		if (this.length.duration().toMillis() < 1000) {
			throw usage("--duration " + this.length.duration().toMillis() + "ms is too short; use 1s or more");
		}
		Design how = design(chosen);
		if (how == Design.DUETS && !this.agents.isEmpty()) {
			throw usage(
					"--design duets loads two gateways at a time, which agents can't; leave out --agents, or use turns");
		}
		// No host of several knows for how many blocks the others have time
		boolean inTime = !this.length.full && this.blocks == null && this.starts == null && how != Design.DUETS
				&& this.part == null;
		int usual = (this.part != null) ? 1 : (inTime && how == Design.FRESH) ? MOST_BLOCKS_IN_TIME : FULL_BLOCKS;
		int repetitions = (this.blocks != null) ? this.blocks : usual;
		if (repetitions < 1 || repetitions > 1000) {
			throw usage("--blocks " + repetitions + " is not possible; use 1 to 1000");
		}
		int startings = how.isResident()
				? Math.min(repetitions, (this.starts != null) ? this.starts : inTime ? 1 : STARTS) : repetitions;
		if (startings < 1) {
			throw usage("--starts " + startings + " is not possible; use 1 or more");
		}
		if (this.starts != null && !how.isResident()) {
			throw usage("--starts is for gateways that stay; with --design fresh, every block starts them");
		}
		Heap size = (this.heap != null) ? this.heap : usualHeap(how, scenarios);
		long chosenSeed = (this.seed != null) ? this.seed : ThreadLocalRandom.current().nextInt(1, 1_000_000);
		RunResults.Settings settings = new RunResults.Settings(warmup(), this.length.duration(), repetitions, startings,
				size.text(), TIMEOUT, chosenSeed, this.pin,
				(this.grouping != null) ? this.grouping : Placement.usualGrouping(), how, this.engine);
		if (how == Design.DUETS && RunPlan.duets(scenarios).isEmpty()) {
			throw usage(
					"--design duets needs a variant and the one it is compared with under the same load; choose both with --only");
		}
		if (how == Design.DUETS && RunPlan.duets(scenarios)
			.stream()
			.anyMatch((duet) -> duet.getFirst().variant().process().equals(duet.getLast().variant().process()))) {
			throw usage(
					"--design duets is for variants with a process each, and some of these share one; use fresh or turns");
		}
		if (how == Design.DUETS && scenarios.stream()
			.map(Scenario::load)
			.anyMatch((load) -> load.iterations() != null || load.p99Limit() != null)) {
			throw usage("--design duets is for loads that end by time, without a search for the rate; use turns");
		}
		RunPlan plan = RunPlan.of(chosen, scenarios, settings, inTime ? TIME_LIMIT : null);
		if (this.part != null) {
			String objection = this.part.objection(chosen, plan, this.seed);
			if (objection != null) {
				throw usage(objection);
			}
			plan = this.part.share(plan);
		}
		return new RunRequest(chosen, scenarios, (this.profile != null) ? plan.withProfiles(scenarios) : plan,
				Thresholds.of(this.failIf, chosen, scenarios), size, directory, GATEWAY_PATIENCE,
				this.spec.root().commandLine().getParseResult().originalArgs());
	}

	private void checkAgents() {
		if (this.agents.isEmpty()) {
			return;
		}
		if (!jmeter()) {
			throw usage("--agents needs an engine that has agents; choose --engine jmeter");
		}
		if (this.agents.stream().distinct().count() < this.agents.size()) {
			throw usage("--agents names an agent twice; start another one on that host with another --port");
		}
		AgentKey.check(this.agentKey);
	}

	// The published gateways had 2 GB. In duets, many gateways stay
	private static Heap usualHeap(Design design, List<Scenario> scenarios) {
		Heap published = Heap.parse("2g");
		boolean small = design == Design.DUETS
				|| (design == Design.TURNS && !published.fits(RunPlan.processes(scenarios)));
		return small ? Heap.parse("512m") : published;
	}

	private Design design(Suite chosen) {
		if (this.design != null) {
			return this.design;
		}
		// Nothing is started, so nothing can stay
		return (this.part != null) ? Design.FRESH : this.length.full ? chosen.fullDesign() : chosen.design();
	}

	private boolean jmeter() {
		if (!List.of(ForkedLoadEngine.NAME, JmeterLoadEngine.NAME).contains(this.engine)) {
			throw usage("--engine %s is not there; choose one of: %s, %s".formatted(this.engine, ForkedLoadEngine.NAME,
					JmeterLoadEngine.NAME));
		}
		return this.engine.equals(JmeterLoadEngine.NAME);
	}

	// Short cycles, so that there are enough of them to tell whether the gateway is
	// steady
	private RunResults.Warmup warmup() {
		Duration total = (this.warmup != null) ? this.warmup : this.length.warmup();
		if (total.isNegative() || (!total.isZero() && total.toMillis() < 1000)) {
			throw usage("--warmup " + total.toMillis() + "ms is too short; use 0s, or 1s and more");
		}
		if (this.length.full) {
			Duration cycle = Duration.ofSeconds(Math.clamp(total.toSeconds() / 5, 1, 15));
			return new RunResults.Warmup(cycle, cycle, (int) total.dividedBy(cycle), 0.03);
		}
		Duration cycle = Duration.ofSeconds(Math.clamp(total.toSeconds() / 5, 1, 5));
		return new RunResults.Warmup(cycle, Duration.ofSeconds(1), (int) total.dividedBy(cycle), 0.15);
	}

	static int exitCode(RunResults results) {
		return switch (results.status()) {
			case INTERRUPTED -> Bench.INTERRUPTED;
			case COMPLETE -> exitCodeOfComplete(results);
			default -> Bench.FAILED;
		};
	}

	private static int exitCodeOfComplete(RunResults results) {
		if (results.hasThreshold(Outcome.FAILED)) {
			return Bench.THRESHOLD_FAILED;
		}
		if (results.hasThreshold(Outcome.INCONCLUSIVE)) {
			return Bench.THRESHOLD_INCONCLUSIVE;
		}
		return results.scenarios().stream().map(ScenarioResult::id).allMatch(results::hasValid) ? 0 : Bench.INVALID;
	}

	private ParameterException usage(String message) {
		return new ParameterException(this.spec.commandLine(), message);
	}

}
