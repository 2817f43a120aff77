package io.gatewaybench.metrics;

import io.gatewaybench.internal.Outcome;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and tags of the observation of an attempt. A bean of this type takes the place of
 * the default, which is what the methods here return.
 *
 * @since 0.1.0
 */
public interface AttemptObservationConvention extends ObservationConvention<AttemptObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof AttemptObservationContext;
	}

	/**
	 * Name of the meter.
	 * @return {@code gateway.bench.attempt}
	 */
	@Override
	default String getName() {
		return "gateway.bench.attempt";
	}

	/**
	 * Name of the span.
	 * @param context what is known of the attempt
	 * @return {@code attempt}, and the name of the upstream
	 */
	@Override
	default String getContextualName(AttemptObservationContext context) {
		return "attempt " + context.getUpstream();
	}

	/**
	 * Tags of the meter and the span.
	 * @param context what is known of the attempt
	 * @return {@code failure}, {@code instance}, {@code outcome}, {@code route},
	 * {@code status}, which is the code or {@code none}, and {@code upstream}
	 */
	@Override
	default KeyValues getLowCardinalityKeyValues(AttemptObservationContext context) {
		return KeyValues.of("failure", context.getFailure(), "instance", context.getInstance(), "outcome",
				context.getOutcome(), "route", context.getRoute(), "status", Outcome.status(context.getStatus()),
				"upstream", context.getUpstream());
	}

}
