package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.gatewaybench.benchmark.engine.LoadEngineException;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;

/**
 * Profiles the variants once nothing is measured any more: each has a fresh gateway, and
 * runs alone.
 *
 * @param plan the plan
 * @param context what stays the same for all gateways
 * @param console where progress goes
 * @param interrupted whether the user ends the run
 */
record Profiling(RunPlan plan, Runner.RunContext context, Console console, BooleanSupplier interrupted) {

	/**
	 * Profiles all variants. One that can't be profiled is told, and the next one goes
	 * on.
	 * @param results what was measured before
	 */
	void run(RunResults results) throws InterruptedException {
		this.console.begin(this.plan.length().profiles());
		for (RunPlan.Session session : this.plan.profiles()) {
			Scenario scenario = found(session.scenarios().getFirst(), results);
			Path file = directory().resolve(session.variant().id() + ".json");
			ResultsFile.write(file, profile(session, scenario));
		}
	}

	// The load of a search is that of the rate which was found
	private static Scenario found(Scenario scenario, RunResults results) {
		if (scenario.load().p99Limit() == null) {
			return scenario;
		}
		return results.scenarios()
			.stream()
			.filter((each) -> each.id().equals(scenario.id()))
			.map((each) -> each.load().rate())
			.filter(Objects::nonNull)
			.findFirst()
			.map(scenario::at)
			.orElse(scenario);
	}

	private Path directory() {
		try {
			return Files.createDirectories(this.context.output().path().resolve(Profile.DIRECTORY));
		}
		catch (IOException ex) {
			throw new BenchFailure("The profiles can't be written to " + this.context.output().path() + ": " + ex, ex);
		}
	}

	private Profile profile(RunPlan.Session session, Scenario scenario) throws InterruptedException {
		String variant = session.variant().title();
		try {
			if (!(session.variant().component() instanceof Component.Jar)) {
				throw new BenchFailure("Flight Recorder profiles only JVMs that the run starts");
			}
			return record(session, scenario);
		}
		catch (IOException | RuntimeException ex) {
			if (this.interrupted.getAsBoolean()) {
				throw new InterruptedException();
			}
			boolean explained = ex instanceof BenchFailure || ex instanceof LoadEngineException;
			String reason = explained ? String.valueOf(ex.getMessage()) : ex.toString();
			this.console.say("No profile of " + variant + ": " + reason);
			return Profile.failed(scenario.id(), variant, reason);
		}
	}

	private Profile record(RunPlan.Session session, Scenario scenario) throws InterruptedException, IOException {
		Path recording = directory().resolve(session.variant().id() + ".jfr");
		StageResult load;
		try (Gateways.MeasuredGateway gateway = this.context.gateways().openAlone(session);
				Console.Task task = this.console.task(name(session));
				SessionRun run = SessionRun.open(this.plan, session, gateway, this.context, task)) {
			run.warmUp(new StartTogether(1));
			load = run.profile(scenario, PlanLength.PROFILE, recording);
		}
		StackSamples samples = StackSamples.read(recording);
		this.console.say("Profile of " + session.variant().title() + ": " + samples.samples() + " samples");
		return new Profile(scenario.id(), session.variant().title(), load.seconds(), load.throughput(), samples, null);
	}

	/**
	 * The name of the files and of the progress of a profile.
	 */
	static String name(RunPlan.Session session) {
		return "profile-" + session.variant().id();
	}

}
