package io.gatewaybench.benchmark.topology;

import java.util.List;
import java.util.Optional;

/**
 * Finds in a log why a program did not start.
 */
public final class StartupLog {

	private static final int TAIL = 32 * 1024;

	private StartupLog() {
	}

	/**
	 * The reason, in the words of the log.
	 * @param child the program
	 * @return the reason after a colon and a space, or nothing if the log is empty
	 */
	public static String reason(Child child) {
		List<String> lines = child.lastLines(TAIL)
			.stream()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.toList();
		// What Spring Boot's failure analysis begins with
		int description = lines.lastIndexOf("Description:");
		if (description >= 0 && description + 1 < lines.size()) {
			return ": " + lines.get(description + 1);
		}
		return lines.stream()
			.filter((line) -> line.startsWith("Error") || line.startsWith("Exception in thread")
					|| line.contains(" ERROR ") || line.startsWith("Caused by:"))
			.reduce((first, second) -> second)
			.or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
			.map((line) -> ": " + line)
			.orElse("");
	}

}
