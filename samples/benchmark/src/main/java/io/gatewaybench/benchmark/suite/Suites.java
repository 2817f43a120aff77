package io.gatewaybench.benchmark.suite;

import java.util.List;
import java.util.Optional;

/**
 * The suites that exist.
 */
public final class Suites {

	private static final List<Suite> ALL = List.of(GatewaySuite.create(), OverheadSuite.create(), RoutesSuite.create(),
			ClientsSuite.create());

	private Suites() {
	}

	/**
	 * All suites.
	 * @return the suites, the default one first
	 */
	public static List<Suite> all() {
		return ALL;
	}

	/**
	 * The gateways as their samples are configured.
	 * @return one for each flavour and kind of threads
	 */
	public static List<Variant> gateways() {
		return List.of(GatewaySuite.WEBFLUX, GatewaySuite.WEBMVC_VT, GatewaySuite.WEBMVC);
	}

	/**
	 * The suite of a name.
	 * @param name the name
	 * @return the suite, empty if there is none
	 */
	public static Optional<Suite> named(String name) {
		return ALL.stream().filter((suite) -> suite.name().equals(name)).findFirst();
	}

}
