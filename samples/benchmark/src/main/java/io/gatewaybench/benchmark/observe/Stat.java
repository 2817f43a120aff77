package io.gatewaybench.benchmark.observe;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The fields of {@code /proc/<pid>/stat} that are needed, of a process or of a thread.
 *
 * @param name its name, which may have spaces and parentheses
 * @param userTicks user time
 * @param systemTicks system time
 * @param endedChildrenTicks user and system time of the processes that it started and
 * that have ended
 */
record Stat(String name, long userTicks, long systemTicks, long endedChildrenTicks) {

	/**
	 * Ticks per second, which on every Linux that runs Java is 100.
	 */
	static final double TICKS_PER_SECOND = 100;

	static @Nullable Stat parse(List<String> lines) {
		if (lines.isEmpty()) {
			return null;
		}
		String line = lines.getFirst();
		int end = line.lastIndexOf(')');
		// The first one behind the name is field 3
		String[] fields = line.substring(end + 2).split(" ");
		return new Stat(line.substring(line.indexOf('(') + 1, end), Long.parseLong(fields[11]),
				Long.parseLong(fields[12]), Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
	}

	/**
	 * The number in a line of {@code /proc/<pid>/status}, such as {@code VmRSS: 1234 kB}.
	 * @return the number, 0 if the line is not there
	 */
	static long statusNumber(List<String> status, String key) {
		String digits = statusText(status, key).replaceAll("\\D", "");
		return digits.isEmpty() ? 0 : Long.parseLong(digits);
	}

	static String statusText(List<String> status, String key) {
		for (String line : status) {
			if (line.startsWith(key + ":")) {
				return line.substring(key.length() + 1).strip();
			}
		}
		return "";
	}

}
