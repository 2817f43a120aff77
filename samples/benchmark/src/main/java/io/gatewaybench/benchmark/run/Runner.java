package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.observe.Actuator;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Host;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Thresholds;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.topology.EnvironmentProbe;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.topology.MachineDetails;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.RemoteHosts;

/**
 * Carries out a run from the first check to the last report.
 *
 * @param installation the programs that take part
 * @param engines makes the load engine
 * @param console where progress goes
 */
public record Runner(Installation installation, Engines engines, Console console) {

	// Looks at everybody before and after, and the responses that are waited for
	private static final Duration AROUND_SLICE = Duration.ofMillis(300);

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
		ConnectionLimits.of(MachineDetails.read(new SystemInfo())).check(request.scenarios());
		Placement placement = request.plan().settings().pinned()
				? Placement.pinned(Runtime.getRuntime().availableProcessors()) : Placement.usual();
		OutputDirectory output = OutputDirectory.create(request.out());
		ResultsFile.write(output.path().resolve("plan.json"), request.plan());
		this.console.say("Results: " + output.path());
		return measure(request, output, placement, interruption);
	}

	private RunResults measure(RunRequest request, OutputDirectory output, Placement placement,
			Interruption interruption) {
		@Nullable RunRecord record = null;
		TimePlan time = new TimePlan(request.plan().settings(), request.plan().groups().size(), round(request.plan()),
				System::nanoTime);
		this.console.begin(time.estimate());
		try {
			try (Children children = new Children(placement.groups());
					HttpClient client = Launcher.newClient();
					RemoteHosts hosts = new RemoteHosts(children, output::log)) {
				for (Host host : request.hosts()) {
					hosts.connect(host);
				}
				Launcher launcher = new Launcher(this.installation, children, client, request.heap().text(),
						request.patience(), hosts);
				Backends backends = Backends.start(request.suite().components(), launcher, output, placement.others());
				record = new RunRecord(output, request.thresholds(), begin(request, backends, placement, hosts));
				LoadEngine engine = this.engines.create(output.raw(), placement.generator());
				starts(new GatewayStart.Site(request.plan(), launcher, client, backends, engine, output, placement,
						this.console), time, record, interruption);
			}
			record.set(record.results.ended(Status.COMPLETE, null, now()));
			return finish(record.results, output);
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
			record.set(record.results.ended(interrupted ? Status.INTERRUPTED : Status.FAILED,
					interrupted ? "interrupted" : reason, now()));
			RunResults ended = record.results;
			if (!ended.scenarios().isEmpty()) {
				finish(ended, output);
			}
			boolean explained = ex instanceof BenchFailure;
			if (ex instanceof RuntimeException failure && !interrupted && (ended.scenarios().isEmpty() || !explained)) {
				throw failure;
			}
			return ended;
		}
	}

	private static Duration round(RunPlan plan) {
		return plan.scenarios()
			.stream()
			.map((scenario) -> plan.lead(scenario.load(), Duration.ZERO)
				.plus(plan.window(scenario.load(), Duration.ZERO))
				.plus(AROUND_SLICE))
			.reduce(Duration.ZERO, Duration::plus)
			.dividedBy(plan.groups().size());
	}

	private void starts(GatewayStart.Site site, TimePlan time, RunRecord record, Interruption interruption)
			throws InterruptedException {
		RunPlan plan = site.plan();
		int number = 0;
		while (time.allowsStart(isPrecise(record.results))) {
			for (List<Scenario> group : plan.groups()) {
				time.groupBegins();
				this.console.place(time.place());
				this.console.progress(
						"starting " + RunPlan.processes(group.stream().map(Scenario::variant).toList()) + " gateways");
				try (GatewayStart start = GatewayStart.open(site, group, ++number)) {
					play(start, plan, time, record, interruption);
					if (plan.profile() && time.start() == 1) {
						new Profiling(start.targets().values(), site.output(), this.console).run();
					}
				}
			}
		}
	}

	private void play(GatewayStart start, RunPlan plan, TimePlan time, RunRecord record, Interruption interruption)
			throws InterruptedException {
		RunResults before = record.results;
		boolean whole = false;
		try {
			start.warmUp(time.longestWarmUp(), time.start() == 1);
			time.warm();
			start.begin();
			boolean precise = false;
			for (int round = 0; time.allowsRound(round, precise); round++) {
				this.console.place(time.place() + ", round " + (round + 1));
				start.play(round + 1);
				StartResults results = start.results(plan::isAsked, false);
				RunResults soFar = before.with(List.of(), List.of(), results.scenarios(), results.slices());
				this.console.answer(soFar);
				precise = isPrecise(soFar);
			}
			whole = true;
		}
		finally {
			// Also what an interrupted start has shown counts
			boolean interrupted = Thread.interrupted();
			StartResults results = start.results((scenario) -> true, whole && !interruption.requested());
			record.set(before.with(start.curves(), start.voids(), results.scenarios(), results.slices()));
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static boolean isPrecise(RunResults results) {
		List<Comparison> answers = results.answers();
		return !answers.isEmpty()
				&& answers.stream().allMatch((answer) -> answer.ratio().halfWidth() <= results.settings().precision());
	}

	private RunResults begin(RunRequest request, Backends backends, Placement placement, RemoteHosts hosts)
			throws InterruptedException {
		List<String> planned = request.scenarios().stream().map(Scenario::id).toList();
		return RunResults.begin(request.suite().name(), request.suite().title(), request.suite().study(), now(),
				request.plan().settings(),
				EnvironmentProbe
					.probe(this.installation, request.jars(this.installation), placement.groupedBy(),
							backends.commands(), request.arguments())
					.with(hosts.details(), settings(request, backends.client())),
				planned, request.plan().question(), request.suite().choose());
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

	private RunResults finish(RunResults results, OutputDirectory output) {
		this.console.say("Report: " + Reports.write(results, output.path()));
		return results;
	}

	/**
	 * The time as results have it.
	 * @return the time, in whole seconds
	 */
	public static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS);
	}

	/**
	 * The results so far, on disk after every change.
	 */
	private static final class RunRecord {

		private final OutputDirectory output;

		private final Thresholds thresholds;

		private RunResults results;

		RunRecord(OutputDirectory output, Thresholds thresholds, RunResults results) {
			this.output = output;
			this.thresholds = thresholds;
			set(results);
		}

		void set(RunResults results) {
			this.results = results.withThresholds(this.thresholds.results(results));
			ResultsFile.write(this.output.path().resolve(ResultsFile.NAME), this.results);
			// Now, so that a run that is killed can be found and rendered
			this.output.link();
		}

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
