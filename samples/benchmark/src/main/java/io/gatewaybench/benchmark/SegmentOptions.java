package io.gatewaybench.benchmark;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import io.gatewaybench.benchmark.engine.ForkedLoadEngine;
import io.gatewaybench.benchmark.plan.InvalidValueException;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;

/**
 * The options of {@code bench run} by which several hosts share a load.
 */
final class SegmentOptions {

	@Option(names = "--segment", paramLabel = "<i>/<n>", required = true, converter = SegmentConverter.class,
			description = "Do the i-th of n parts of the load, from 1, on this host. The other parts are done by other hosts at "
					+ "the same time with the same options; bench merge puts the results together.")
	private Segment segment = Segment.WHOLE;

	@Option(names = "--start-at", paramLabel = "<time>", required = true,
			description = "When the first load begins on all hosts, such as 2026-11-25T16:00:00Z.")
	private Instant startAt = Instant.EPOCH;

	/**
	 * Chooses the part of a plan.
	 * @param plan the plan
	 * @return the same plan for this host
	 */
	RunPlan share(RunPlan plan) {
		return plan.share(this.segment, this.startAt);
	}

	/**
	 * Why a run can't be shared.
	 * @param suite the suite
	 * @param plan the plan
	 * @param seed the seed as the user gave it, or {@code null}
	 * @return what is wrong and what to do; {@code null} if nothing is
	 */
	@Nullable String objection(Suite suite, RunPlan plan, @Nullable Long seed) {
		if (seed == null) {
			return "--segment needs --seed, with the same number on every host: it decides who sends what";
		}
		if (!plan.settings().engine().equals(ForkedLoadEngine.NAME)) {
			return "--segment is for --engine " + ForkedLoadEngine.NAME + "; JMeter does not know who sends what";
		}
		if (!this.startAt.isAfter(Instant.now())) {
			return "--start-at " + this.startAt + " is over; choose a time at which every host is ready";
		}
		return started(suite, plan);
	}

	private @Nullable String started(Suite suite, RunPlan plan) {
		for (String id : suite.components().keySet()) {
			if (!(suite.components().get(id) instanceof Component.Remote)) {
				return onEveryHost("the component " + id);
			}
		}
		for (Scenario scenario : plan.scenarios()) {
			if (suite.address(scenario.variant()) == null) {
				return onEveryHost(scenario.variant().id());
			}
			if (scenario.load().p99Limit() != null) {
				return "--segment can't search the highest rate, as no host knows what the others find; choose a"
						+ " rate with --rate";
			}
			// On every host, and not only on the one that has nothing to do
			if (this.segment.count() > scenario.workload().connections()) {
				return "--segment " + this.segment + " is not possible: " + scenario.id() + " has only "
						+ scenario.workload().connections() + " connections, and every host needs one";
			}
		}
		return null;
	}

	private static String onEveryHost(String what) {
		return "--segment is for what runs already, and every host would start " + what
				+ "; start it by hand, and write its url";
	}

	/**
	 * Reads {@code 2/5}.
	 */
	private static final class SegmentConverter implements ITypeConverter<Segment> {

		@Override
		public Segment convert(String value) {
			if (!value.matches("[0-9]{1,4}/[0-9]{1,4}")) {
				throw new TypeConversionException("'" + value + "' is no segment: write 1/5 to 5/5 for five hosts");
			}
			try {
				String[] numbers = value.split("/");
				return new Segment(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
			}
			catch (InvalidValueException ex) {
				throw new TypeConversionException(ex.getMessage());
			}
		}

	}

}
