package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadEngineException;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.Actuator;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Host;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * Carries out a run from the first check to the last report.
 */
public final class Runner {

	private final Installation installation;

	private final Engines engines;

	private final Console console;

	/**
	 * A runner.
	 * @param installation the programs that take part
	 * @param engines makes the load engine
	 * @param console where progress goes
	 */
	public Runner(Installation installation, Engines engines, Console console) {
		this.installation = installation;
		this.engines = engines;
		this.console = console;
	}

	/**
	 * Runs everything that is planned. What was measured is in the result and on disk
	 * also when the run is interrupted or fails half-way.
	 * @param request what to run
	 * @param interruption tells whether the user ended it
	 * @return what was found out
	 * @throws BenchFailure if the run could not begin
	 */
	public RunResults run(RunRequest request, Interruption interruption) {
		this.installation.check(request.jars(this.installation));
		request.heap().checkFits(request.plan().gatewaysAtOnce());
		ConnectionLimits.of(MachineDetails.read(new SystemInfo()))
			.check(request.scenarios().stream().map((each) -> each.share(request.plan().segment())).toList());
		RunResults.Settings settings = request.plan().settings();
		Placement placement = settings.pinned()
				? Placement.pinned(settings.grouping(), Runtime.getRuntime().availableProcessors())
				: Placement.of(settings.grouping());
		OutputDirectory output = OutputDirectory.create(request.out());
		Path plan = output.path().resolve("plan.json");
		ResultsFile.write(plan, request.plan());
		this.console.say(Announcement.of(request));
		this.console.say("Results: " + output.path());
		this.console.tell(new RunEvent.RunBegun(request.suite().name(), output.path().toString(), plan.toString(),
				request.scenarios().stream().map(Scenario::id).toList(), request.plan().blocks().size(),
				request.plan().measurements(), request.plan().estimate().toSeconds()));
		this.console.begin(request.plan().estimate());
		return measure(request, output, placement, interruption);
	}

	private RunResults measure(RunRequest request, OutputDirectory output, Placement placement,
			Interruption interruption) {
		@Nullable RunRecord record = null;
		BlockClock clock = new BlockClock(request.plan().timeLimit(), request.plan().leastBlocks(), System::nanoTime);
		try {
			try (Children children = new Children(placement.groups());
					HttpClient client = HttpClient.newBuilder()
						.version(HttpClient.Version.HTTP_1_1)
						.connectTimeout(Duration.ofSeconds(2))
						.build();
					RemoteHosts hosts = new RemoteHosts(children, output::log)) {
				for (Host host : request.hosts()) {
					hosts.connected(host);
				}
				Launcher launcher = new Launcher(this.installation, children, client, request.heap().text(),
						request.patience(), hosts);
				Backends backends = Backends.start(request.suite().components(), launcher, output, placement.others());
				record = new RunRecord(output, request.thresholds(), begin(request, backends, placement, hosts));
				LoadEngine engine = this.engines.create(output.raw(), placement.generator());
				try (Gateways gateways = new Gateways(request, launcher, backends, output, placement)) {
					RunContext context = new RunContext(gateways, client, backends, engine, output);
					record.set(record.results().withCapacity(capacity(request, context)));
					measure(request, context, record, clock);
					if (!request.plan().profiles().isEmpty()) {
						profile(request, context, record, interruption);
					}
				}
			}
			if (record.results().status() != Status.COMPLETE) {
				record.set(record.results().ended(Status.COMPLETE, null, now()));
			}
			return finish(record.results(), output);
		}
		catch (InterruptedException | RuntimeException ex) {
			boolean interrupted = ex instanceof InterruptedException || interruption.requested();
			if (record == null) {
				throw (ex instanceof RuntimeException failure && !interrupted) ? failure
						: new BenchFailure("Interrupted before anything was measured.", ex);
			}
			// Cleared, so that writing the reports is not interrupted too
			Thread.interrupted();
			String reason = (ex.getMessage() != null) ? ex.getMessage() : ex.toString();
			RunResults ended = record.results()
				.ended(interrupted ? Status.INTERRUPTED : Status.FAILED, interrupted ? "interrupted" : reason, now());
			if (record.results().status() == Status.COMPLETE) {
				// All is measured; only profiles are missing
				finish(record.results(), output);
				return ended;
			}
			record.set(ended);
			ended = record.results();
			if (!ended.scenarios().isEmpty()) {
				finish(ended, output);
			}
			boolean explained = ex instanceof BenchFailure || ex instanceof LoadEngineException;
			if (ex instanceof RuntimeException failure && !interrupted && (ended.scenarios().isEmpty() || !explained)) {
				throw failure;
			}
			return ended;
		}
	}

	private void measure(RunRequest request, RunContext context, RunRecord record, BlockClock clock)
			throws InterruptedException {
		Instant startAt = request.plan().startAt();
		CommonStart start = (startAt != null)
				? new StartByClock(startAt, request.plan().settings().timeout(), InstantSource.system())
				: new StartTogether(1);
		for (RunPlan.Block block : request.plan().blocks()) {
			if (!clock.allowsAnother()) {
				this.console.say("There is no time for block " + block.number());
				record.set(record.results().withBlocks(block.number() - 1));
				break;
			}
			context.gateways().begin(block);
			if (request.plan().settings().design() == Design.DUETS) {
				duet(request, block, context, record);
			}
			else {
				for (RunPlan.Session session : block.sessions()) {
					measure(request, session, start, context, record);
				}
			}
			clock.blockEnded();
		}
		repeat(request, context, record, clock);
	}

	// Whatever happens to a profile, results and reports of the measurements are there
	private void profile(RunRequest request, RunContext context, RunRecord record, Interruption interruption)
			throws InterruptedException {
		record.set(record.results().ended(Status.COMPLETE, null, now()));
		Reports.write(record.results(), context.output().path());
		context.output().link();
		new Profiling(request.plan(), context, this.console, interruption::requested).run(record.results());
	}

	private void repeat(RunRequest request, RunContext context, RunRecord record, BlockClock clock)
			throws InterruptedException {
		List<RunPlan.Session> repetitions = request.plan().repetitions(record.results());
		this.console.begin(repetitions.stream()
			.map((session) -> request.plan().length().session(session, false))
			.reduce(Duration.ZERO, Duration::plus));
		for (RunPlan.Session session : repetitions) {
			if (clock.allows(request.plan().length().session(session, false))) {
				measure(request, session, new StartTogether(1), context, record);
			}
			else {
				this.console.say("There is no time to measure " + session.id() + " again");
			}
		}
	}

	private Map<String, Double> capacity(RunRequest request, RunContext context) throws InterruptedException {
		// Without a control nobody knows what a backend must be sent
		Scenario control = request.scenarios()
			.stream()
			.filter((scenario) -> scenario.variant().control())
			.findFirst()
			.orElse(null);
		if (control == null || !(control.variant().component() instanceof Component.Remote remote)) {
			return Map.of();
		}
		URI address = URI.create(context.backends().references().resolve(remote.url()));
		// Only a simulator can leave out its delays
		if (!context.backends().instances().contains(address)) {
			return Map.of();
		}
		this.console.say("Measuring generator and backends without a gateway");
		double perSecond = new Capacity(address, context.engine()).measure(control.workload().mix(),
				new Timeouts(SessionRun.CONNECT_TIMEOUT, request.plan().settings().timeout()),
				request.plan().settings().seed());
		Map<String, Double> capacity = new LinkedHashMap<>();
		request.scenarios().forEach((scenario) -> capacity.put(scenario.load().id(), perSecond));
		return capacity;
	}

	private void measure(RunRequest request, RunPlan.Session session, CommonStart start, RunContext context,
			RunRecord record) throws InterruptedException {
		RunPlan plan = request.plan();
		try (Console.Task task = this.console.task(plan.place(session, session.scenarios().getFirst()));
				Gateways.MeasuredGateway gateway = context.gateways().open(session)) {
			boolean warm = gateway.warmUp().isDone();
			try (SessionRun run = SessionRun.open(plan, session, gateway, context, task)) {
				try {
					if (!warm) {
						run.warmUp(start);
					}
					run.measure(warm, start, record.results().capacity(), (result) -> keep(result, context, record));
				}
				finally {
					if (!warm) {
						record.add(run.curve());
					}
				}
			}
		}
	}

	private void duet(RunRequest request, RunPlan.Block block, RunContext context, RunRecord record)
			throws InterruptedException {
		RunPlan plan = request.plan();
		for (RunPlan.Session session : block.sessions()) {
			try (Console.Task task = this.console.task(plan.place(session, session.scenarios().getFirst()))) {
				Gateways.MeasuredGateway gateway = context.gateways().open(session);
				if (!gateway.warmUp().hasBegun()) {
					try (SessionRun run = SessionRun.open(plan, session, gateway, context, task)) {
						run.warmUp(new StartTogether(1));
						record.add(run.curve());
					}
				}
			}
		}
		CommonStart start = new StartTogether(block.sessions().size());
		List<Callable<List<ScenarioResult>>> both = new ArrayList<>();
		for (RunPlan.Session session : block.sessions()) {
			Gateways.MeasuredGateway gateway = context.gateways().open(session);
			both.add(() -> inDuet(plan, session, gateway, start, context, record));
		}
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<List<ScenarioResult>>> played = executor.invokeAll(both);
			// That it was left alone is not why a session failed
			Throwable failure = played.stream()
				.filter((each) -> each.state() == Future.State.FAILED)
				.map(Future::exceptionNow)
				.min(Comparator.comparing(CancellationException.class::isInstance))
				.orElse(null);
			if (failure != null) {
				throw (failure instanceof RuntimeException unchecked) ? unchecked
						: new BenchFailure("A duet failed: " + failure, failure);
			}
			played.stream().map(Future::resultNow).flatMap(List::stream).forEach((each) -> keep(each, context, record));
		}
	}

	private List<ScenarioResult> inDuet(RunPlan plan, RunPlan.Session session, Gateways.MeasuredGateway gateway,
			CommonStart start, RunContext context, RunRecord record) throws InterruptedException {
		List<ScenarioResult> results = new ArrayList<>();
		try (Console.Task task = this.console.task(plan.place(session, session.scenarios().getFirst()));
				SessionRun run = SessionRun.open(plan, session, gateway, context, task)) {
			run.measure(true, start, record.results().capacity(), results::add);
			return results;
		}
		catch (Throwable ex) {
			start.fail();
			throw ex;
		}
	}

	private void keep(ScenarioResult result, RunContext context, RunRecord record) {
		record.set(record.results().with(result));
		// Now, so that a run that is killed can be found and rendered
		context.output().link();
		this.console.say(result.id() + ", block " + result.block() + ": " + TerminalReport.line(result));
		this.console.tell(RunEvent.ScenarioEnded.of(result));
		context.backends().checkAlive(result.id());
	}

	private RunResults begin(RunRequest request, Backends backends, Placement placement, RemoteHosts hosts)
			throws InterruptedException {
		List<String> planned = request.scenarios().stream().map(Scenario::id).toList();
		return RunResults.begin(request.suite().name(), title(request), request.suite().study(), now(),
				request.plan().settings(),
				EnvironmentProbe
					.probe(this.installation, request.jars(this.installation), placement.groupedBy(),
							backends.commands(), request.arguments())
					.with(hosts.details())
					.with(clock(request, backends.client()))
					.withSettings(settings(request, backends.client())),
				planned);
	}

	private static Map<String, String> settings(RunRequest request, HttpClient client) throws InterruptedException {
		Map<String, String> settings = new LinkedHashMap<>();
		for (Variant variant : request.scenarios().stream().map(Scenario::variant).distinct().toList()) {
			URI address = request.suite().address(variant);
			if (address != null && variant.component() instanceof Component.Remote remote
					&& remote.actuator() != null) {
				String told = new Actuator(client, address.resolve(remote.actuator())).settings();
				if (told != null) {
					settings.put(address.getAuthority() + "!actuator", told);
				}
			}
		}
		return settings;
	}

	// Hosts that share a load begin by their own clocks, and see nothing of each other
	private static Map<String, String> clock(RunRequest request, HttpClient client) throws InterruptedException {
		URI target = request.suite().address(request.scenarios().getFirst().variant());
		return (request.plan().segment().alone() || target == null) ? Map.of() : TargetClock.compare(client, target);
	}

	// A reader must not take a part of the load for all of it
	private static String title(RunRequest request) {
		Segment segment = request.plan().segment();
		return request.suite().title()
				+ (segment.alone() ? "" : " (segment " + segment.number() + " of " + segment.count() + ")");
	}

	private RunResults finish(RunResults results, OutputDirectory output) {
		Path report = Reports.write(results, output.path());
		output.link();
		this.console.say("Report: " + report);
		return results;
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS);
	}

	/**
	 * What stays the same from one measurement to the next.
	 */
	record RunContext(Gateways gateways, HttpClient client, Backends backends, LoadEngine engine,
			OutputDirectory output) {
	}

	/**
	 * Makes the load engine.
	 */
	@FunctionalInterface
	public interface Engines {

		/**
		 * Makes one.
		 * @param directory for its files
		 * @param prefix what its command line must begin with
		 * @return the engine
		 */
		LoadEngine create(Path directory, List<String> prefix);

	}

}
