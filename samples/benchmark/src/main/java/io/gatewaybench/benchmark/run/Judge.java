package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;

/**
 * Decides whether the figures of a measurement may be used. One that something other than
 * the gateway disturbed is invalid: it is kept and shown with its reasons, and no
 * comparison uses it. A gateway that fails is a result.
 */
final class Judge {

	private static final double MAX_LOST = 0.001;

	private static final List<Rule> ALWAYS = List.of(NoiseRules::generator, NoiseRules::lag, NoiseRules::capacity,
			NoiseRules::machine, NoiseRules::steady, NoiseRules::compiled, NoiseRules::othersCompiled,
			LoadRules::schedule, LoadRules::theoreticalMaximum);

	// They are broken by a gateway that fails, too
	private static final List<Rule> UNLESS_FAILED = List.of(LoadRules::little, LoadRules::mix, LoadRules::waiting);

	private Judge() {
	}

	static Verdict judge(MeasurementContext context) {
		Counts counts = context.stage().total().counts();
		List<String> failures = failures(context);
		if (!context.stage().complete()) {
			return Verdict.of(List.of(format("cut short after %.1f of %.0f s", context.stage().seconds(),
					context.planned().duration().toMillis() / 1000.0)), failures);
		}
		List<String> reasons = new ArrayList<>();
		if (counts.ok() > 0) {
			ALWAYS.forEach((rule) -> reasons.addAll(rule.objections(context)));
		}
		if (failures.isEmpty()) {
			UNLESS_FAILED.forEach((rule) -> reasons.addAll(rule.objections(context)));
		}
		reasons.addAll(backends(context));
		reasons.addAll(accounted(context));
		return Verdict.of(reasons, failures);
	}

	/**
	 * What the gateway did wrong.
	 */
	private static List<String> failures(MeasurementContext context) {
		Counts counts = context.stage().total().counts();
		List<String> failures = new ArrayList<>();
		if (!context.gatewayAlive()) {
			failures.add("the gateway ended during the measurement");
		}
		if (counts.ok() == 0) {
			failures.add("no response was successful");
		}
		else if (counts.failed() > MAX_LOST * counts.intended()) {
			failures.add(format("%.2f %% of the requests had no successful response, more than %.1f %%",
					counts.failed() * 100.0 / counts.intended(), MAX_LOST * 100));
		}
		return failures;
	}

	private static List<String> backends(MeasurementContext context) {
		return context.backendsAlive() ? List.of() : List.of("the backends ended during the measurement");
	}

	private static List<String> accounted(MeasurementContext context) {
		Counts counts = context.stage().total().counts();
		return context.stage().balanced() ? List.of() : List.of(format("%d of %d requests are unaccounted for",
				Math.abs(counts.intended() - counts.ok() - counts.failed()), counts.intended()));
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
