package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;

/**
 * Decides whether the figures of a measurement may be used. One that something other than
 * the gateway disturbed is invalid: it is kept and shown with its reasons, and no
 * comparison uses it. A gateway that fails is a result.
 */
final class ValidityRules {

	private static final double MAX_LOST = 0.001;

	private static final List<Rule> ALWAYS = List.of(NoiseRules::machine, NoiseRules::steady, NoiseRules::compiled,
			NoiseRules::othersCompiled, NoiseRules::generator, NoiseRules::agents, NoiseRules::lag,
			NoiseRules::capacity, LoadRules::schedule, LoadRules::theoreticalMaximum, LoadRules::p99Limit);

	// They are broken by a gateway that fails, too
	private static final List<Rule> UNLESS_FAILED = List.of(LoadRules::little, LoadRules::mix, LoadRules::waiting,
			LoadRules::iterations);

	private ValidityRules() {
	}

	static Verdict verdict(MeasurementContext context) {
		List<String> failures = (context.lostHost() == null) ? failures(context) : List.of();
		List<Objection> objections = context.stage().complete() ? objections(context, failures.isEmpty())
				: Objection.toAll("cut short after %.1f of %s%.0f s", context.stage().seconds(),
						(context.planned().iterations() > 0) ? "at most " : "",
						context.planned().duration().toMillis() / 1000.0);
		EnumSet<Metric> sound = EnumSet.allOf(Metric.class);
		objections.forEach((objection) -> sound.removeAll(objection.spoilt()));
		return new Verdict(objections.isEmpty(), objections.isEmpty() ? List.of() : List.copyOf(sound),
				objections.stream().map(Objection::reason).toList(), failures);
	}

	private static List<Objection> objections(MeasurementContext context, boolean served) {
		List<Objection> objections = new ArrayList<>();
		if (context.stage().total().counts().ok() > 0) {
			ALWAYS.forEach((rule) -> objections.addAll(rule.objections(context)));
		}
		if (served) {
			UNLESS_FAILED.forEach((rule) -> objections.addAll(rule.objections(context)));
		}
		objections.addAll(backends(context));
		objections.addAll(connected(context));
		objections.addAll(accounted(context));
		return objections;
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
			failures.add(String.format(Locale.ROOT, "%.2f %% of the requests failed, more than the limit of %.1f %%",
					counts.failed() * 100.0 / counts.intended(), MAX_LOST * 100));
		}
		return failures;
	}

	private static List<Objection> backends(MeasurementContext context) {
		return context.backendsAlive() ? List.of() : Objection.toAll("the backends ended during the measurement");
	}

	private static List<Objection> connected(MeasurementContext context) {
		return (context.lostHost() == null) ? List.of()
				: Objection.toAll("the connection to the host %s was lost", context.lostHost());
	}

	private static List<Objection> accounted(MeasurementContext context) {
		Counts counts = context.stage().total().counts();
		return context.stage().balanced() ? List.of() : Objection.toAll("%d of %d requests are unaccounted for",
				Math.abs(counts.intended() - counts.ok() - counts.failed()), counts.intended());
	}

}
