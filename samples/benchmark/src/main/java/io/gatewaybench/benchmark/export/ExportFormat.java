package io.gatewaybench.benchmark.export;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The tools for which a load can be written.
 */
public enum ExportFormat {

	/**
	 * <a href="https://jmeter.apache.org">Apache JMeter</a>: a test plan in XML.
	 */
	JMETER,

	/**
	 * <a href="https://k6.io">k6</a>: a script in JavaScript.
	 */
	K6;

	/**
	 * What people call the tool.
	 * @return its name
	 */
	public String title() {
		return (this == K6) ? "k6" : "JMeter";
	}

	/**
	 * What the command line calls it.
	 * @return its name in small letters
	 */
	public String key() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Writes a load in this format.
	 * @param request a load whose rate is known
	 * @return its file, and what it leaves out
	 */
	public Export export(ExportRequest request) {
		Export export = (this == K6) ? K6Script.export(request) : JmeterPlan.export(request);
		List<String> notes = new ArrayList<>(export.notes());
		notes.add("it draws requests with random numbers of its own; the shares are the same, the sequence is not");
		if (request.mix().stream().anyMatch((type) -> type.expect().gatewayType() != null)) {
			notes.add("it does not check the _gateway field");
		}
		request.mix()
			.stream()
			.flatMap((type) -> type.paths().stream())
			.filter((path) -> !isPlain(path))
			.forEach((path) -> notes.add("it may encode or cut the path " + path + "; encode it in the suite"));
		return new Export(export.file(), export.content(), export.command(), List.copyOf(notes));
	}

	// Both tools parse it and put it together again
	private static boolean isPlain(String path) {
		try {
			return new URI(path).getRawFragment() == null && !path.startsWith("//");
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

	/**
	 * A load in the format of a tool.
	 *
	 * @param file the name of the file
	 * @param content what is in it
	 * @param command what starts the tool, in the directory of the file
	 * @param notes what the format can't say, or says in another way, in whole sentences
	 */
	public record Export(String file, String content, String command, List<String> notes) {
	}

}
