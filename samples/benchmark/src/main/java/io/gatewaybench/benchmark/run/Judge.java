package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;

/**
 * Decides whether the figures of a measurement may be used. An invalid measurement is
 * listed with its reasons and kept, and no comparison uses it.
 */
final class Judge {

	private static final double MAX_LOST = 0.001;

	private static final List<Rule> ALWAYS = List.of(Judge::alive, Judge::accounted, NoiseRules::generator,
			NoiseRules::lag, NoiseRules::capacity, NoiseRules::machine, NoiseRules::steady, NoiseRules::compiled,
			LoadRules::schedule, LoadRules::bound);

	// With lost requests these fail too, and would only hide the cause
	private static final List<Rule> UNLESS_LOST = List.of(LoadRules::little, LoadRules::mix);

	private Judge() {
	}

	static Verdict judge(Evidence evidence) {
		Counts counts = evidence.stage().total().counts();
		if (!evidence.complete()) {
			return Verdict.of(List.of(format("cut short after %.1f of %.0f s", evidence.stage().seconds(),
					evidence.planned().duration().toMillis() / 1000.0)));
		}
		List<String> reasons = new ArrayList<>();
		if (counts.ok() == 0) {
			reasons.addAll(alive(evidence));
			reasons.addAll(accounted(evidence));
			reasons.add("no request got a good answer");
			return Verdict.of(reasons);
		}
		ALWAYS.forEach((rule) -> reasons.addAll(rule.objections(evidence)));
		double lost = counts.failed() / (double) counts.intended();
		if (lost > MAX_LOST) {
			reasons.add(format("%.2f %% of the requests got no good answer, more than %.1f %%", lost * 100,
					MAX_LOST * 100));
		}
		else {
			UNLESS_LOST.forEach((rule) -> reasons.addAll(rule.objections(evidence)));
		}
		return Verdict.of(reasons);
	}

	private static List<String> alive(Evidence evidence) {
		List<String> objections = new ArrayList<>();
		if (!evidence.gatewayAlive()) {
			objections.add("the gateway ended during the measurement");
		}
		if (!evidence.backendsAlive()) {
			objections.add("the backends ended during the measurement");
		}
		return objections;
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
