package io.gatewaybench.metrics;

import io.gatewaybench.internal.Outcome;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and tags of the observation of an exchange. A bean of this type takes the place of
 * the default, which is what the methods here return.
 *
 * @since 0.1.0
 */
public interface ExchangeObservationConvention extends ObservationConvention<ExchangeObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ExchangeObservationContext;
	}

	/**
	 * Name of the meter.
	 * @return {@code gateway.bench.exchange}
	 */
	@Override
	default String getName() {
		return "gateway.bench.exchange";
	}

	/**
	 * Name of the span.
	 * @param context what is known of the exchange
	 * @return {@code exchange}, and the id of the route
	 */
	@Override
	default String getContextualName(ExchangeObservationContext context) {
		return "exchange " + context.getRoute();
	}

	/**
	 * Tags of the meter and the span.
	 * @param context what is known of the exchange
	 * @return {@code outcome}, {@code route} and {@code status}, which is the code or
	 * {@code none}
	 */
	@Override
	default KeyValues getLowCardinalityKeyValues(ExchangeObservationContext context) {
		return KeyValues.of("outcome", context.getOutcome(), "route", context.getRoute(), "status",
				Outcome.status(context.getStatus()));
	}

}
