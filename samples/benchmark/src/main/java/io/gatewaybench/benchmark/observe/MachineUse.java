package io.gatewaybench.benchmark.observe;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What the machine did during a measurement, as parts of all its cores' time.
 *
 * @param seconds how long it was looked at
 * @param busy what programs and interrupts had, 0 to 1
 * @param steal what the hypervisor gave to other machines, 0 to 1
 * @param foreign what programs had that are no part of the run, 0 to 1
 * @param pressure the part of the time in which a thread waited for a core, 0 to 1
 * @param stealBySecond what the hypervisor gave to other machines in each second, 0 to 1;
 * empty where nobody looked
 */
public record MachineUse(double seconds, double busy, double steal, double foreign, double pressure,
		List<Double> stealBySecond) {

	/**
	 * The most that other machines on the same host may take while something is measured.
	 */
	private static final double MAX_STEAL = 0.02;

	/**
	 * The most that other programs on the same machine may take meanwhile.
	 */
	private static final double MAX_FOREIGN = 0.05;

	/**
	 * Copies the list.
	 */
	public MachineUse {
		stealBySecond = List.copyOf(stealBySecond);
	}

	/**
	 * Says that other machines took too much for the figures to be trusted.
	 * @return the objection, {@code null} if they did not
	 */
	public @Nullable String stealObjection() {
		return (this.steal <= MAX_STEAL) ? null
				: String.format(Locale.ROOT,
						"other machines on the same host took %.1f %% of the CPU time, more than %.0f %%",
						this.steal * 100, MAX_STEAL * 100);
	}

	/**
	 * Says that other programs took too much for the figures to be trusted.
	 * @return the objection, {@code null} if they did not
	 */
	public @Nullable String foreignObjection() {
		return (this.foreign <= MAX_FOREIGN) ? null
				: String.format(Locale.ROOT, "other programs took %.1f %% of the CPU time, more than %.0f %%",
						this.foreign * 100, MAX_FOREIGN * 100);
	}

	/**
	 * Whether other machines took too much in a few seconds only.
	 * @return {@code false} also where nobody looked
	 */
	public boolean stealIsRare() {
		return this.stealBySecond.stream().filter((steal) -> steal <= MAX_STEAL).count() > this.stealBySecond.size()
				/ 2;
	}

}
