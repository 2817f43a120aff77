package io.gatewaybench.benchmark.suite;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * One row of a suite: a gateway and what it is loaded with.
 *
 * @param id the name on the command line and of files, for example {@code webmvc-vt-c16}
 * @param title the name in reports
 * @param variant how the gateway is set up
 * @param load what it is loaded with
 * @param published what was published for it, or {@code null}
 */
public record Scenario(String id, String title, Variant variant, Load load, @Nullable Published published) {

	/**
	 * Names a row by its variant and its load.
	 * @param variant how the gateway is set up
	 * @param load what it is loaded with
	 * @param published what was published for it, or {@code null}
	 * @return the row
	 */
	public static Scenario of(Variant variant, Load load, @Nullable Published published) {
		return new Scenario(variant.id() + "-" + load.id(), variant.title() + " " + title(load), variant, load,
				published);
	}

	private static String title(Load load) {
		return (load.rate() > 0) ? "at " + load.id().substring(1) + "/s" : "× " + load.workload().connections();
	}

	/**
	 * Who sends what.
	 * @return the workload of the load
	 */
	public Workload workload() {
		return this.load.workload();
	}

	/**
	 * The same gateway under an open load of the same requests.
	 * @param perSecond requests per second
	 * @param spread how they are spread
	 * @param connections the most requests in flight
	 * @return the row
	 */
	public Scenario atRate(double perSecond, Arrivals spread, int connections) {
		return of(this.variant, this.load.atRate(perSecond, spread, connections), null);
	}

	/**
	 * The same gateway under a closed loop of the same requests.
	 * @param connections how many
	 * @return the row
	 */
	public Scenario on(int connections) {
		return of(this.variant, this.load.on(connections), null);
	}

	/**
	 * The same row for a variant of another name.
	 * @return the row
	 */
	public Scenario again() {
		return of(this.variant.again(), this.load, null);
	}

}
