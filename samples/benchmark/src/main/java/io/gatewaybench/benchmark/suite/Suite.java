package io.gatewaybench.benchmark.suite;

import java.util.List;

/**
 * Scenarios that belong together.
 *
 * @param name the name on the command line
 * @param title what it is about
 * @param source what the published figures come from
 * @param backends what the gateways stand in front of
 * @param design how its variants are set against each other unless told otherwise
 * @param scenarios the rows, in the order of reports
 */
public record Suite(String name, String title, String source, Backends backends, Design design,
		List<Scenario> scenarios) {

	/**
	 * Copies the list.
	 */
	public Suite {
		scenarios = List.copyOf(scenarios);
	}

	/**
	 * The services behind the gateway.
	 *
	 * @param services their names, also the first segment of the paths that the gateway
	 * strips
	 * @param instances number of instances of each
	 * @param zeroDelay whether they answer at once, so that the gateway is all that takes
	 * time; otherwise with the published latencies
	 */
	public record Backends(List<String> services, int instances, boolean zeroDelay) {

		/**
		 * Copies the list.
		 */
		public Backends {
			services = List.copyOf(services);
		}

	}

}
