package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;

/**
 * Decides whether the figures of a measurement may be used. One that something other than
 * the gateway disturbed is invalid: it is kept and shown with its reasons, and no
 * comparison uses it. A gateway that fails is a result.
 */
final class Judge {

	private static final double MAX_LOST = 0.001;

	// The least part of the theoretical maximum at which throughput can't be further off
	// than an equivalent one may be
	private static final double BOUNDED = 0.97;

	// By Little's law, the mean latency follows from the throughput of a closed loop
	private static final List<Metric> NOT_SPOILT_BY_NOISE = List.of(Metric.THROUGHPUT, Metric.SERVICE_MEAN);

	private static final List<Rule> ALWAYS = List.of(NoiseRules::generator, NoiseRules::lag, NoiseRules::capacity,
			LoadRules::schedule, LoadRules::theoreticalMaximum);

	// They spoil what the gateway's CPU time is part of
	private static final List<Rule> NOISE = List.of(NoiseRules::machine, NoiseRules::steady, NoiseRules::compiled,
			NoiseRules::othersCompiled);

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
		List<String> noise = new ArrayList<>();
		if (counts.ok() > 0) {
			NOISE.forEach((rule) -> noise.addAll(rule.objections(context)));
		}
		boolean bounded = reasons.isEmpty() && failures.isEmpty() && isBounded(context);
		noise.addAll(reasons);
		return new Verdict(noise.isEmpty(), bounded ? NOT_SPOILT_BY_NOISE : List.of(), noise, failures);
	}

	private static boolean isBounded(MeasurementContext context) {
		TheoreticalMaximum maximum = context.theoreticalMaximum();
		return maximum != null && maximum.reached() >= BOUNDED;
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
