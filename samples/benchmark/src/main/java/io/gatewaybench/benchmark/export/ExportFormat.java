package io.gatewaybench.benchmark.export;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The tools for which a load can be written.
 */
public enum ExportFormat {

	/**
	 * <a href="https://hyperfoil.io">Hyperfoil</a>: a benchmark in YAML.
	 */
	HYPERFOIL("Hyperfoil", new HyperfoilExporter()),

	/**
	 * <a href="https://jmeter.apache.org">Apache JMeter</a>: a test plan in XML.
	 */
	JMETER("JMeter", new JmeterExporter()),

	/**
	 * <a href="https://k6.io">k6</a>: a script in JavaScript.
	 */
	K6("k6", new K6Exporter()),

	/**
	 * <a href="https://github.com/tsenart/vegeta">vegeta</a>: its targets in JSON, and
	 * the shell script that calls it.
	 */
	VEGETA("vegeta", new VegetaExporter()),

	/**
	 * <a href="https://github.com/wg/wrk">wrk</a>: a script in Lua.
	 */
	WRK("wrk", new WrkExporter()),

	/**
	 * <a href="https://locust.io">Locust</a>: a script in Python.
	 */
	LOCUST("Locust", new LocustExporter());

	private final String title;

	private final Exporter exporter;

	ExportFormat(String title, Exporter exporter) {
		this.title = title;
		this.exporter = exporter;
	}

	/**
	 * What people call the tool.
	 * @return its name
	 */
	public String title() {
		return this.title;
	}

	/**
	 * What the command line calls it.
	 * @return its name in small letters
	 */
	public String key() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Why a load can't be exported.
	 * @param request the load
	 * @return a sentence; {@code null} if it can be exported
	 */
	public @Nullable String objection(ExportRequest request) {
		if (request.load().p99Limit() != null) {
			return "%s searches its highest rate, which only the runner does; choose a rate with --rate"
				.formatted(request.id());
		}
		String objection = this.exporter.objection(request);
		return (objection != null) ? "%s can't send %s: it %s".formatted(this.title, request.id(), objection) : null;
	}

	/**
	 * Writes a load in this format.
	 * @param request a load without {@linkplain #objection objection}
	 * @return its files, and what they leave out
	 */
	public Export export(ExportRequest request) {
		Export export = this.exporter.export(request);
		List<String> notes = new ArrayList<>(export.notes());
		if (this != VEGETA) {
			notes.add("it draws requests with random numbers of its own; the shares are the same, the sequence is not");
		}
		if (request.mix().stream().anyMatch((type) -> type.expect().gatewayType() != null)) {
			notes.add("it does not check the _gateway field");
		}
		if (this != WRK) {
			request.singles()
				.stream()
				.map(ExportRequest.Single::path)
				.filter((path) -> !isPlain(path))
				.forEach((path) -> notes.add("it may encode or cut the path " + path + "; encode it in the suite"));
		}
		return new Export(export.files(), export.command(), notes);
	}

	// Most tools parse it and put it together again
	private static boolean isPlain(String path) {
		try {
			return new URI(path).getRawFragment() == null && !path.startsWith("//");
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

}
