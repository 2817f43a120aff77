package io.gatewaybench.benchmark.jmeter;

import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A sample of JMeter, a line of the file that the player writes.
 *
 * @param agent who sent the request
 * @param start when JMeter began with it, in milliseconds of the agent's clock
 * @param millis from then to the last byte
 * @param connect how much of that it took to connect
 * @param type the type of the request
 * @param code the status of the response, or what kept it from coming
 * @param ok whether it passed all checks
 * @param arrived when the runner's machine had it, in milliseconds of its clock
 */
record Sample(String agent, long start, long millis, long connect, String type, String code, boolean ok, long arrived) {

	private static final int FIELDS = 8;

	private static final String LATE = "the response took too long";

	static final long NANOS = 1_000_000;

	/**
	 * Reads a line. JMeter limits the time of each read, and not that of the whole
	 * response.
	 * @param timeoutMillis the longest time of a response
	 * @return {@code null} if it is not complete
	 */
	static @Nullable Sample parse(String line, long timeoutMillis) {
		String[] fields = line.split("\t", -1);
		if (fields.length != FIELDS) {
			return null;
		}
		try {
			long millis = Long.parseLong(fields[2]);
			boolean right = fields[6].equals("true");
			boolean late = right && millis > timeoutMillis;
			return new Sample(fields[0], Long.parseLong(fields[1]), millis, Long.parseLong(fields[3]), fields[4],
					late ? LATE : fields[5], right && !late, Long.parseLong(fields[7]));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	/**
	 * What became of the request.
	 * @param expected the status that is right
	 * @return {@code null} if it ended right
	 */
	@Nullable Outcome failure(int expected) {
		if (this.ok) {
			return null;
		}
		Integer status = status();
		if (status != null) {
			return (status != expected) ? Outcome.HTTP_ERROR : Outcome.WRONG_BODY;
		}
		if (this.code.equals(LATE) || this.code.endsWith("SocketTimeoutException")) {
			return Outcome.TIMEOUT;
		}
		return (this.code.endsWith("ConnectException") || this.code.endsWith("ConnectTimeoutException"))
				? Outcome.REFUSED : Outcome.RESET;
	}

	long end() {
		return this.start + this.millis;
	}

	/**
	 * The time without connecting. In the open model JMeter opens a connection for each
	 * request. The service time begins when a request is sent, as with every engine.
	 */
	long serviceNanos() {
		return Math.clamp((this.millis - this.connect) * NANOS, 0, LatencyHistogram.HIGHEST_NANOS);
	}

	/**
	 * The status of the response.
	 * @return {@code null} if none came
	 */
	@Nullable Integer status() {
		return this.code.matches("[1-5][0-9]{2}") ? (Integer) Integer.parseInt(this.code) : null;
	}

}
