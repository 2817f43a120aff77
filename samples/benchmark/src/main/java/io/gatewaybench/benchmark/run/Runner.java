package io.gatewaybench.benchmark.run;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadEngineException;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.suite.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a run from the first check to the last report.
 */
public final class Runner {

	private final Installation installation;

	private final Function<Path, LoadEngine> engines;

	private final Console console;

	/**
	 * A runner.
	 * @param installation the programs that take part
	 * @param engines makes the load engine, given the directory for its files
	 * @param console where progress goes
	 */
	public Runner(Installation installation, Function<Path, LoadEngine> engines, Console console) {
		this.installation = installation;
		this.engines = engines;
		this.console = console;
	}

	/**
	 * Runs everything that is planned. What was measured is in the result and on disk
	 * also when the run is interrupted or fails half-way.
	 * @param request what to run
	 * @return what was found out
	 * @throws BenchFailure if the run could not begin
	 */
	public RunResults run(RunRequest request) {
		try (Interruption interruption = new Interruption()) {
			this.installation.check();
			request.heap().checkFits(EnvironmentProbe.availableMemoryBytes().orElseGet(EnvironmentProbe::memoryBytes));
			OutputDirectory output = OutputDirectory.create(request.out(), request.suite().name(), LocalDateTime.now());
			RunPlan plan = request.plan();
			ResultsFile.write(output.path().resolve("plan.json"), plan);
			this.console.say(String.format(Locale.ROOT,
					"Suite %s: %d × %d s after %d s of warm-up each, gateway heap %s, seed %d. Takes about %s.",
					plan.suite(), plan.measurements().size(), plan.settings().duration().toSeconds(),
					plan.settings().warmup().toSeconds(), request.heap().text(), plan.settings().seed(),
					minutes(plan.estimate())));
			this.console.say("Results: " + output.path());
			return measure(request, output, interruption);
		}
	}

	private RunResults measure(RunRequest request, OutputDirectory output, Interruption interruption) {
		@Nullable RunRecord record = null;
		try {
			try (Children children = new Children();
					HttpClient client = HttpClient.newBuilder()
						.version(HttpClient.Version.HTTP_1_1)
						.connectTimeout(Duration.ofSeconds(2))
						.build()) {
				Backends backends = Backends.start(children, client, this.installation, request.suite().backends(),
						output.log("backends"));
				record = new RunRecord(output, begin(request, backends));
				LoadEngine engine = this.engines.apply(output.raw());
				Stand stand = new Stand(children, client, backends, engine, output);
				int number = 0;
				for (RunPlan.Measurement measurement : request.plan().measurements()) {
					number++;
					measure(request, measurement, number, stand, record);
				}
			}
			record.set(record.results().ended(Status.COMPLETE, null, now()));
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
			record.set(ended);
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

	private void measure(RunRequest request, RunPlan.Measurement measurement, int number, Stand stand, RunRecord record)
			throws InterruptedException {
		Scenario scenario = measurement.scenario();
		String label = "[" + number + "/" + request.plan().measurements().size() + "] " + scenario.id();
		Gateway.Settings settings = new Gateway.Settings(this.installation.java(),
				this.installation.gateway(scenario.variant().flavour()), request.heap().text(),
				stand.backends().upstreams(), stand.output().raw().resolve(measurement.id()),
				stand.output().log(measurement.id()), request.patience());
		try (Gateway gateway = Gateway.start(stand.children(), stand.client(), scenario.variant(), settings)) {
			new FunctionalCheck(stand.client()).check(gateway, scenario.workload().mix());
			@Nullable ScenarioResult result;
			boolean complete;
			try (Console.Task task = this.console.task(label, request.plan().loadTime())) {
				ScenarioRun run = new ScenarioRun(measurement, request.plan().settings(), gateway, stand.backends(),
						task);
				LoadResult load = stand.engine().run(run.plan(), run::on);
				complete = load.complete();
				result = run.result(load);
			}
			if (result != null) {
				record.set(record.results().with(result));
				// Now, so that a run that is killed can be found and rendered
				stand.output().link();
				this.console.say(label + ": " + TerminalReport.line(result));
			}
			if (!complete) {
				// The engine hands over what it has when it is interrupted; the run
				// itself still has to end
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				throw new BenchFailure("The load generator ended early in " + measurement.id() + "; see "
						+ stand.output().raw().resolve(measurement.id()));
			}
		}
	}

	private RunResults begin(RunRequest request, Backends backends) throws InterruptedException {
		List<String> planned = request.suite()
			.scenarios()
			.stream()
			.filter((scenario) -> request.plan()
				.measurements()
				.stream()
				.anyMatch((measurement) -> measurement.scenario().id().equals(scenario.id())))
			.map(Scenario::id)
			.toList();
		return new RunResults(RunResults.SCHEMA_VERSION, request.suite().name(), request.suite().title(),
				request.suite().source(), Status.RUNNING, null, now(), null, request.plan().settings(),
				EnvironmentProbe.probe(this.installation, backends.command(), request.arguments()), planned, List.of());
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

	private static String minutes(Duration duration) {
		return String.format(Locale.ROOT, "%d:%02d minutes", duration.toMinutes(), duration.toSecondsPart());
	}

	/**
	 * What stays the same from one measurement to the next.
	 */
	private record Stand(Children children, HttpClient client, Backends backends, LoadEngine engine,
			OutputDirectory output) {
	}

	/**
	 * The results so far, on disk after every change.
	 */
	private static final class RunRecord {

		private final Path file;

		private RunResults results;

		RunRecord(OutputDirectory output, RunResults results) {
			this.file = output.path().resolve(ResultsFile.NAME);
			set(results);
		}

		RunResults results() {
			return this.results;
		}

		void set(RunResults results) {
			this.results = results;
			ResultsFile.write(this.file, results);
		}

	}

}
