package io.gatewaybench.sim;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a request target (RFC 9112, section 3.2) that matter here.
 */
final class RequestTarget {

	/** The request asks for no delay of its own. */
	static final long NO_DELAY = -1;

	/** The request asks for a delay that can't be had. */
	static final long ILLEGAL_DELAY = -2;

	private static final String DELAY = "delay=";

	private static final int MAX_DIGITS = 5;

	private RequestTarget() {
	}

	/**
	 * Returns the path.
	 * @param target origin form or absolute form
	 */
	static String path(String target) {
		int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
		int start = (scheme < 0) ? 0 : target.indexOf('/', scheme + 3);
		int query = target.indexOf('?');
		return target.substring(Math.max(start, 0), (query < 0) ? target.length() : query);
	}

	/**
	 * Returns what the first {@code delay} parameter of the query asks for.
	 * @param target origin form or absolute form
	 * @return nanoseconds, {@link #NO_DELAY} or {@link #ILLEGAL_DELAY}
	 */
	static long delayNanos(String target) {
		int start = target.indexOf('?');
		while (start >= 0) {
			start++;
			int end = target.indexOf('&', start);
			if (target.startsWith(DELAY, start)) {
				return parse(target, start + DELAY.length(), (end < 0) ? target.length() : end);
			}
			start = end;
		}
		return NO_DELAY;
	}

	/**
	 * Returns a parameter of the query.
	 * @param target origin form or absolute form
	 * @param name name of the parameter
	 * @return the first value, as it was sent, or {@code null} without the parameter
	 */
	static @Nullable String parameter(String target, String name) {
		String[] query = target.substring(target.indexOf('?') + 1).split("&");
		return Arrays.stream(query)
			.filter((parameter) -> parameter.startsWith(name + "="))
			.map((parameter) -> parameter.substring(name.length() + 1))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Returns a whole number of the query.
	 * @param target origin form or absolute form
	 * @param name name of the parameter
	 * @param least the least number that is possible
	 * @param most the highest one
	 * @param otherwise the number without the parameter
	 * @throws IllegalArgumentException if it is another number or none, with a message
	 * for the client
	 */
	static int number(String target, String name, int least, int most, int otherwise) {
		String text = parameter(target, name);
		int number = (text == null) ? otherwise : text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
		if (number < least || number > most) {
			throw new IllegalArgumentException(name + " takes a whole number from " + least + " to " + most);
		}
		return number;
	}

	private static long parse(String target, int start, int end) {
		if (end == start || end - start > MAX_DIGITS) {
			return ILLEGAL_DELAY;
		}
		int millis = 0;
		for (int i = start; i < end; i++) {
			int digit = target.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				return ILLEGAL_DELAY;
			}
			millis = 10 * millis + digit;
		}
		return (millis <= Profile.MAX_MILLIS) ? TimeUnit.MILLISECONDS.toNanos(millis) : ILLEGAL_DELAY;
	}

}
