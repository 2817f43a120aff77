package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;

/**
 * The line that tells people what a run will do and how long it takes at most.
 */
final class Announcement {

	private Announcement() {
	}

	static String of(RunRequest request) {
		RunPlan plan = request.plan();
		RunResults.Warmup warmup = plan.settings().warmup();
		return String.format(Locale.ROOT,
				"Suite %s: %s of %d × %s, %swarm-up of at most %d × %d s, gateway heap %s, seed %d%s%s. Takes %s at most.",
				plan.suite(), blocks(plan), plan.measurements() / plan.blocks().size(),
				request.scenarios()
					.stream()
					.map((scenario) -> length(scenario.load(), plan.settings()))
					.distinct()
					.collect(Collectors.joining(" or ")),
				(plan.settings().design() == Design.FRESH) ? ""
						: plan.settings().design().name().toLowerCase(Locale.ROOT) + ", ",
				warmup.cycles(), warmup.load().toSeconds(), request.heap().text(), plan.settings().seed(),
				plan.profiles().isEmpty() ? ""
						: String.format(Locale.ROOT, ", then %d profiles of %d s", plan.profiles().size(),
								PlanLength.PROFILE.toSeconds()),
				plan.segment().alone() ? "" : ", segment " + plan.segment() + " from " + plan.startAt(),
				minutes(plan.estimate()));
	}

	private static String length(Load load, RunResults.Settings settings) {
		Iterations iterations = load.iterations();
		return (iterations == null) ? settings.duration().toSeconds() + " s" : String.format(Locale.ROOT,
				"%,d requests", (long) load.workload().connections() * iterations.perUser());
	}

	private static String blocks(RunPlan plan) {
		int blocks = plan.blocks().size();
		return (plan.timeLimit() != null) ? plan.leastBlocks() + " to " + blocks + " blocks"
				: (blocks == 1) ? "1 block" : blocks + " blocks";
	}

	private static String minutes(Duration duration) {
		return String.format(Locale.ROOT, "%d:%02d minutes", duration.toMinutes(), duration.toSecondsPart());
	}

}
