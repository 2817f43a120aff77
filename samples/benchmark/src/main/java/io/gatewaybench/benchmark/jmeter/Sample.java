package io.gatewaybench.benchmark.jmeter;

import java.util.List;

import io.gatewaybench.benchmark.load.LatencyHistogram;
import org.jspecify.annotations.Nullable;

/**
 * One line of JMeter's file of samples.
 *
 * @param agent the address of the agent that sent the request
 * @param start when JMeter began with it, in milliseconds of the agent's clock
 * @param millis from then to the last byte
 * @param connect how much of that it took to connect
 * @param type the type of the request
 * @param code the status of the response, or what kept it from coming
 * @param ok whether it passed all checks
 */
record Sample(String agent, long start, long millis, long connect, String type, String code, boolean ok) {

	/**
	 * What makes JMeter write such lines.
	 */
	static final List<String> SETTINGS = List
		.of("output_format=csv", "print_field_names=false", "default_delimiter=\\t", "timestamp_format=ms",
				"response_message=false", "data_type=false", "assertion_results_failure_message=false", "bytes=false",
				"sent_bytes=false", "url=false", "thread_counts=false", "latency=false", "connect_time=true",
				"idle_time=false", "subresults=false", "hostname=false", "sample_count=false", "filename=false",
				"encoding=false", "time=true", "label=true", "response_code=true", "thread_name=true",
				"successful=true",
				// Otherwise it can't be seen in time that an agent is silent
				"autoflush=true")
		.stream()
		.map("-Jjmeter.save.saveservice."::concat)
		.toList();

	// An agent puts its address and this before the number of the thread
	private static final String GROUP = "-measurement ";

	private static final int FIELDS = 7;

	private static final String LATE = "the response took too long";

	private static final long NANOS = 1_000_000;

	/**
	 * Reads a line.
	 * @return {@code null} if it is not complete
	 */
	static @Nullable Sample parse(String line) {
		String[] fields = line.split("\t", -1);
		int end = (fields.length == FIELDS) ? fields[4].lastIndexOf(GROUP) : -1;
		if (end < 0) {
			return null;
		}
		try {
			return new Sample(fields[4].substring(0, end), Long.parseLong(fields[0]), Long.parseLong(fields[1]),
					Long.parseLong(fields[6]), fields[2], fields[3], fields[5].equals("true"));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	/**
	 * The same sample, failed if it took too long. JMeter limits the time of each read,
	 * and not that of the whole response.
	 * @param timeout the longest time, in nanoseconds
	 */
	Sample within(long timeout) {
		return (this.ok && this.millis * NANOS > timeout)
				? new Sample(this.agent, this.start, this.millis, this.connect, this.type, LATE, false) : this;
	}

	boolean timedOut() {
		return this.code.equals(LATE) || this.code.endsWith("SocketTimeoutException");
	}

	boolean refused() {
		return this.code.endsWith("ConnectException") || this.code.endsWith("ConnectTimeoutException");
	}

	long end() {
		return this.start + this.millis;
	}

	/**
	 * The time without connecting. In the open model JMeter opens a connection for each
	 * request. The service time begins when a request is sent, as with every engine.
	 */
	long serviceMillis() {
		return Math.max(0, this.millis - this.connect);
	}

	long serviceNanos() {
		return nanos(serviceMillis());
	}

	long nanos() {
		return nanos(this.millis);
	}

	private static long nanos(long millis) {
		return Math.clamp(millis * NANOS, 0, LatencyHistogram.HIGHEST_NANOS);
	}

	/**
	 * The status of the response.
	 * @return {@code null} if none came
	 */
	@Nullable Integer status() {
		return this.code.matches("[1-5][0-9]{2}") ? (Integer) Integer.parseInt(this.code) : null;
	}

}
