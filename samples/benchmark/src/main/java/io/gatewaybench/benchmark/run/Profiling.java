package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.observe.JvmProbe;
import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.observe.StackTree;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.suite.Scenario;

/**
 * Profiles the gateways of a start when its rounds are over, one after the other.
 *
 * @param targets the gateways, warm
 * @param output where the profiles go
 * @param console where progress goes
 */
record Profiling(Collection<Target> targets, OutputDirectory output, Console console) {

	/**
	 * Some 1,000 samples of a gateway that takes half a core.
	 */
	private static final Duration LENGTH = Duration.ofSeconds(20);

	/**
	 * Profiles all of them. One that can't be profiled is told, and the next one goes on.
	 */
	void run() throws InterruptedException {
		for (Target target : this.targets) {
			if (!target.isControl()) {
				Scenario scenario = target.scenarios()
					.stream()
					.max(Comparator.comparingInt((each) -> each.workload().connections()))
					.orElseThrow();
				ResultsFile.write(file(scenario, ".json"), profile(target, scenario));
			}
		}
	}

	private Path file(Scenario scenario, String extension) {
		Path directory = this.output.path().resolve(Profile.DIRECTORY);
		// Where it can't be made, who writes there says so
		directory.toFile().mkdirs();
		return directory.resolve(scenario.variant().id() + extension);
	}

	private Profile profile(Target target, Scenario scenario) throws InterruptedException {
		JvmProbe jvm = target.observer().jvm();
		try {
			if (jvm == null) {
				throw new BenchFailure("Flight Recorder profiles only JVMs that the run starts");
			}
			Path recording = file(scenario, ".jfr");
			this.console.progress("profile of " + target.title());
			jvm.startRecording();
			StageResult load = target.generator(scenario).run(scenario.load().warmUp("profile", LENGTH)).whole();
			jvm.saveRecording(recording);
			StackSamples samples = StackTree.read(recording);
			return new Profile(scenario.id(), target.title(), load.seconds(), load.throughput(), samples, null);
		}
		catch (IOException | BenchFailure ex) {
			this.console.say("No profile of " + target.title() + ": " + ex.getMessage());
			return Profile.failed(scenario.id(), target.title(), String.valueOf(ex.getMessage()));
		}
	}

}
