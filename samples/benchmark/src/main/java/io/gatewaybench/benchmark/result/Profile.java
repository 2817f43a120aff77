package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.observe.StackSamples;
import org.jspecify.annotations.Nullable;

/**
 * What a variant spent its time on under load, in a run of its own after the
 * measurements: the content of {@code profiles/VARIANT.json}. The recording is beside it.
 *
 * @param scenario id of the scenario whose load was sent
 * @param variant what reports call the variant
 * @param seconds how long the load was recorded, 0 without a profile
 * @param okPerSecond successful responses per second in the meantime, which is no
 * measurement, as the recording takes part of the time
 * @param samples what was found, {@code null} without a profile
 * @param failure why there is no profile, otherwise {@code null}
 */
public record Profile(String scenario, String variant, double seconds, double okPerSecond,
		@Nullable StackSamples samples, @Nullable String failure) {

	/**
	 * Where profiles are, in the directory of a run.
	 */
	public static final String DIRECTORY = "profiles";

	/**
	 * A profile that could not be made.
	 * @param scenario id of the scenario
	 * @param variant what reports call the variant
	 * @param why the reason
	 * @return a profile without samples
	 */
	public static Profile failed(String scenario, String variant, String why) {
		return new Profile(scenario, variant, 0, 0, null, why);
	}

}
