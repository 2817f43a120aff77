package io.gatewaybench.benchmark.suite;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The suites that this project comes with, and those of users.
 */
public final class Suites {

	/**
	 * The modules of this project that a component can name as its jar.
	 */
	public static final List<String> MODULES = List.of("gateway-webflux", "gateway-webmvc", "gateway-webmvc-clients",
			"service-webflux", "service-webmvc", "published-webflux", "published-webmvc", "plain-proxy");

	/**
	 * The files that a suite of a user can import by their names.
	 */
	static final List<String> IMPORTS = List.of("samples", "services", "published-mix", "own-routes");

	private static final List<Suite> ALL = List
		.of("gateway", "concurrency", "idle", "burst", "tuned", "capacity", "routes", "route-rates", "hello", "persons",
				"delays", "overhead", "sizes", "clients", "gateways", "uploads", "streams", "calibration")
		.stream()
		.map((name) -> SuiteReader.shipped(name, null))
		.toList();

	private Suites() {
	}

	/**
	 * The suites of this project.
	 * @return the suites, the default one first
	 */
	public static List<Suite> all() {
		return ALL;
	}

	/**
	 * The suites that reproduce a study.
	 * @return the suites
	 */
	public static List<Suite> studies() {
		return ALL.stream().filter((suite) -> suite.study() != null).toList();
	}

	/**
	 * The suite of a name.
	 * @param name the name
	 * @return the suite, empty if there is none
	 */
	public static Optional<Suite> named(String name) {
		return ALL.stream().filter((suite) -> suite.name().equals(name)).findFirst();
	}

	/**
	 * The suite that a user means.
	 * @param suite the name of one of this project, or the YAML file of another one
	 * @param more a YAML file whose keys come on top, such as where components run, or
	 * {@code null}
	 * @return the suite
	 * @throws InvalidSuiteException if there is none, or something in it is wrong
	 */
	public static Suite find(String suite, @Nullable Path more) {
		return suite.matches(".*(/|\\.ya?ml$).*") ? SuiteReader.read(Path.of(suite), more)
				: named(suite).map((known) -> (more != null) ? SuiteReader.shipped(suite, more) : known)
					.orElseThrow(() -> new InvalidSuiteException("There is no suite '" + suite + "'; choose one of: "
							+ ALL.stream().map(Suite::name).collect(Collectors.joining(", "))
							+ ", or name the .yml file of your own"));
	}

	/**
	 * A suite to begin with.
	 * @return its YAML, with comments
	 */
	public static String example() {
		return SuiteReader.resource("examples/gateway-comparison", InvalidSuiteException::new);
	}

	/**
	 * The gateways that faults happen to.
	 * @return WebFlux, WebMVC on virtual threads and WebMVC
	 */
	public static List<Variant> faulty() {
		return SuiteReader.variants("faults");
	}

}
