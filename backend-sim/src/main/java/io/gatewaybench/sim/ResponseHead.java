package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * Status line and fields of a response as bytes, made once; only what differs from
 * response to response is added when it is written.
 */
final class ResponseHead {

	/** The length of a body that comes in chunks. */
	static final int CHUNKED = -1;

	private static final byte[] LENGTH = ascii("Content-Length: ");

	private static final byte[] IN_CHUNKS = ascii("Transfer-Encoding: chunked");

	private static final byte[] DATE = ascii("\r\nDate: ");

	private static final byte[] END = ascii("\r\n\r\n");

	private static final byte[] TIMING = ascii("\r\nServer-Timing: backend;dur=");

	private static final int NANOS_PER_MICRO = 1000;

	private static final int MICROS_PER_MILLI = 1000;

	/** Length, date, timing, two numbers of up to ten digits, and a connection field. */
	private static final int MAX_ADDED = 176;

	private final byte[] start;

	private ResponseHead(String start) {
		this.start = ascii(start);
	}

	/**
	 * Makes a head.
	 * @param status status of the response
	 * @param instance name of the instance
	 * @param contentType type of the body
	 * @param fields further complete field lines
	 */
	static ResponseHead of(HttpResponseStatus status, String instance, String contentType, String... fields) {
		StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append("\r\n");
		head.append("Content-Type: ").append(contentType).append("\r\n");
		head.append("Cache-Control: no-store\r\n");
		head.append("X-Backend-Instance: ").append(instance).append("\r\n");
		for (String field : fields) {
			head.append(field).append("\r\n");
		}
		return new ResponseHead(head.toString());
	}

	/**
	 * Returns a size that is enough for {@link #writeTo}.
	 */
	int maxLength() {
		return this.start.length + MAX_ADDED;
	}

	/**
	 * Writes the head up to and including the empty line.
	 * @param out where to
	 * @param contentLength length of the body, or {@link #CHUNKED}
	 * @param persistence what becomes of the connection
	 * @param tookNanos how long the backend took, negative if nobody asks; written as
	 * <a href="https://www.w3.org/TR/server-timing/">Server-Timing</a> in milliseconds
	 */
	void writeTo(ByteBuf out, int contentLength, Persistence persistence, long tookNanos) {
		out.writeBytes(this.start);
		out.writeBytes((contentLength == CHUNKED) ? IN_CHUNKS : LENGTH);
		if (contentLength != CHUNKED) {
			writeDecimal(out, contentLength);
		}
		if (tookNanos >= 0) {
			writeTiming(out, (int) (tookNanos / NANOS_PER_MICRO));
		}
		out.writeBytes(DATE).writeBytes(HttpDate.now());
		out.writeBytes(persistence.field).writeBytes(END);
	}

	private static void writeTiming(ByteBuf out, int micros) {
		out.writeBytes(TIMING);
		writeDecimal(out, micros / MICROS_PER_MILLI);
		int rest = micros % MICROS_PER_MILLI;
		out.writeByte('.').writeByte('0' + rest / 100).writeByte('0' + rest / 10 % 10).writeByte('0' + rest % 10);
	}

	private static void writeDecimal(ByteBuf out, int value) {
		int divisor = 1;
		while (value / divisor >= 10) {
			divisor *= 10;
		}
		for (; divisor > 0; divisor /= 10) {
			out.writeByte('0' + value / divisor % 10);
		}
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * What becomes of the connection after the response, and how the client learns it.
	 */
	enum Persistence {

		/** HTTP/1.1: stays open without saying so. */
		DEFAULT(""),

		/** HTTP/1.0: stays open because the client asked. */
		KEEP_ALIVE("\r\nConnection: keep-alive"),

		/** Is closed. */
		CLOSE("\r\nConnection: close");

		private final byte[] field;

		Persistence(String field) {
			this.field = ascii(field);
		}

	}

}
