package io.gatewaybench.benchmark.observe;

import java.util.List;

/**
 * Finds a value in {@code /proc/<pid>/status}.
 */
final class StatusLine {

	private StatusLine() {
	}

	/**
	 * The number of a line such as {@code VmRSS:	  1234 kB}.
	 * @return the number, 0 if the line is not there
	 */
	static long number(List<String> status, String key) {
		String digits = text(status, key).replaceAll("\\D", "");
		return digits.isEmpty() ? 0 : Long.parseLong(digits);
	}

	static String text(List<String> status, String key) {
		for (String line : status) {
			if (line.startsWith(key + ":")) {
				return line.substring(key.length() + 1).strip();
			}
		}
		return "";
	}

}
