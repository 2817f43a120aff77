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
			NoiseRules::machine, NoiseRules::steady, NoiseRules::compiled, LoadRules::schedule, LoadRules::bound);

	// They are broken by a gateway that fails, too
	private static final List<Rule> UNLESS_FAILED = List.of(LoadRules::little, LoadRules::mix);

	private Judge() {
	}

	static Verdict judge(Evidence evidence) {
		Counts counts = evidence.stage().total().counts();
		List<String> failures = failures(evidence);
		if (!evidence.complete()) {
			return Verdict.of(List.of(format("cut short after %.1f of %.0f s", evidence.stage().seconds(),
					evidence.planned().duration().toMillis() / 1000.0)), failures);
		}
		List<String> reasons = new ArrayList<>();
		if (counts.ok() > 0) {
			ALWAYS.forEach((rule) -> reasons.addAll(rule.objections(evidence)));
		}
		if (failures.isEmpty()) {
			UNLESS_FAILED.forEach((rule) -> reasons.addAll(rule.objections(evidence)));
		}
		reasons.addAll(backends(evidence));
		reasons.addAll(accounted(evidence));
		return Verdict.of(reasons, failures);
	}

	/**
	 * What the gateway did wrong.
	 */
	private static List<String> failures(Evidence evidence) {
		Counts counts = evidence.stage().total().counts();
		List<String> failures = new ArrayList<>();
		if (!evidence.gatewayAlive()) {
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

	private static List<String> backends(Evidence evidence) {
		return evidence.backendsAlive() ? List.of() : List.of("the backends ended during the measurement");
	}

	private static List<String> accounted(Evidence evidence) {
		Counts counts = evidence.stage().total().counts();
		return evidence.stage().balanced() ? List.of() : List.of(format("%d of %d requests are unaccounted for",
				Math.abs(counts.intended() - counts.ok() - counts.failed()), counts.intended()));
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
