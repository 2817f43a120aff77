package io.gatewaybench.benchmark.load;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;

/**
 * Finds the end of an HTTP/1.1 response (RFC 9112, section 6.3) in bytes that come in any
 * portions, without building headers or a body. A codec that builds both costs a load
 * generator more than sending does.
 */
final class ResponseParser {

	private enum State {

		STATUS, HEADER, FIXED, UNTIL_CLOSE, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, DONE

	}

	private static final int LONGEST_LINE = 65_536;

	private static final byte[] VERSION = ascii("HTTP/1.");

	private static final byte[] CONTENT_LENGTH = ascii("content-length");

	private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");

	private static final byte[] CONNECTION = ascii("connection");

	private static final byte[] SERVER_TIMING = ascii("server-timing");

	private static final byte[] BACKEND_DURATION = ascii("backend;dur=");

	private static final int MOST_DIGITS = 9;

	private static final byte[] CHUNKED = ascii("chunked");

	private static final byte[] CLOSE = ascii("close");

	private static final byte[] KEEP_ALIVE = ascii("keep-alive");

	private static final long UNKNOWN = -1;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final BodyTail body = new BodyTail();

	private State state = State.DONE;

	private boolean head;

	private boolean started;

	private byte[] line = new byte[256];

	private int lineLength;

	private int status;

	private boolean keepAlive;

	private boolean transferEncoding;

	private boolean chunked;

	private long contentLength;

	private long backendNanos;

	private long remaining;

	/**
	 * Gets ready for the next response.
	 * @param toHead whether it answers a HEAD request
	 */
	void reset(boolean toHead) {
		this.head = toHead;
		this.started = false;
		this.lineLength = 0;
		this.body.reset();
		this.state = State.STATUS;
	}

	/**
	 * Takes bytes up to the end of the response.
	 * @param in the bytes; what is left in it does not belong to the response
	 * @return whether the response is complete
	 * @throws ProtocolException if this is no HTTP/1.1 response
	 */
	boolean parse(ByteBuf in) throws ProtocolException {
		this.started |= in.isReadable();
		while (this.state != State.DONE) {
			boolean enough = switch (this.state) {
				case FIXED -> readBody(in, State.DONE);
				case CHUNK -> readBody(in, State.CHUNK_END);
				case UNTIL_CLOSE -> readUntilClose(in);
				default -> readLine(in);
			};
			if (!enough) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether the response is complete if the connection ends here.
	 * @return whether its end is the end of the connection
	 */
	boolean completeAtClose() {
		return this.state == State.UNTIL_CLOSE;
	}

	/**
	 * Whether any byte of the response came.
	 * @return whether it did
	 */
	boolean started() {
		return this.started;
	}

	int status() {
		return this.status;
	}

	boolean keepAlive() {
		return this.keepAlive;
	}

	/**
	 * How long the backend says that it took.
	 * @return nanoseconds, negative if it did not say
	 */
	long backendNanos() {
		return this.backendNanos;
	}

	BodyTail body() {
		return this.body;
	}

	private boolean readBody(ByteBuf in, State next) {
		int count = (int) Math.min(this.remaining, in.readableBytes());
		take(in, count);
		this.remaining -= count;
		if (this.remaining > 0) {
			return false;
		}
		this.state = next;
		return true;
	}

	private boolean readUntilClose(ByteBuf in) {
		take(in, in.readableBytes());
		return false;
	}

	private void take(ByteBuf in, int count) {
		if (count > 0) {
			this.body.append(in, in.readerIndex(), count);
			in.skipBytes(count);
		}
	}

	private boolean readLine(ByteBuf in) throws ProtocolException {
		int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
		int count = ((end >= 0) ? end : in.writerIndex()) - in.readerIndex();
		int length = this.lineLength + count;
		if (length > LONGEST_LINE) {
			throw new ProtocolException("a line of its head is longer than %d bytes".formatted(LONGEST_LINE));
		}
		if (length > this.line.length) {
			this.line = Arrays.copyOf(this.line, Math.max(length, 2 * this.line.length));
		}
		in.readBytes(this.line, this.lineLength, count);
		this.lineLength = length;
		if (end < 0) {
			return false;
		}
		in.skipBytes(1);
		if (length > 0 && this.line[length - 1] == '\r') {
			this.lineLength--;
		}
		lineComplete();
		this.lineLength = 0;
		return true;
	}

	private void lineComplete() throws ProtocolException {
		switch (this.state) {
			case STATUS -> statusLine();
			case HEADER -> {
				if (this.lineLength == 0) {
					headComplete();
				}
				else {
					header();
				}
			}
			case CHUNK_SIZE -> chunkSize();
			case CHUNK_END -> {
				if (this.lineLength > 0) {
					throw new ProtocolException("a chunk is longer than its size says");
				}
				this.state = State.CHUNK_SIZE;
			}
			case TRAILER -> {
				if (this.lineLength == 0) {
					this.state = State.DONE;
				}
			}
			default -> throw new IllegalStateException("no line is read in " + this.state);
		}
	}

	private void statusLine() throws ProtocolException {
		boolean valid = this.lineLength >= 12 && startsWith(VERSION, 0) && this.line[8] == ' '
				&& (this.lineLength == 12 || this.line[12] == ' ');
		this.status = valid ? (int) digits(9, 12) : 0;
		if (this.status < 100) {
			throw new ProtocolException("it begins with '%s' and not with a status line"
				.formatted(new String(this.line, 0, Math.min(this.lineLength, 40), StandardCharsets.US_ASCII)));
		}
		this.keepAlive = this.line[7] != '0';
		this.transferEncoding = false;
		this.chunked = false;
		this.contentLength = UNKNOWN;
		this.backendNanos = UNKNOWN;
		this.state = State.HEADER;
	}

	private void header() throws ProtocolException {
		if (startsWith(CONTENT_LENGTH, CONTENT_LENGTH.length)) {
			contentLength(CONTENT_LENGTH.length + 1);
		}
		else if (startsWith(TRANSFER_ENCODING, TRANSFER_ENCODING.length)) {
			this.transferEncoding = true;
			int start = Math.max(lastComma() + 1, TRANSFER_ENCODING.length + 1);
			this.chunked = tokenIs(CHUNKED, start, this.lineLength);
		}
		else if (startsWith(CONNECTION, CONNECTION.length)) {
			connection(CONNECTION.length + 1);
		}
		else if (startsWith(SERVER_TIMING, SERVER_TIMING.length)) {
			serverTiming(SERVER_TIMING.length + 1);
		}
	}

	/**
	 * Of all metrics, only {@code backend} is looked at, in the form
	 * {@code backend;dur=<milliseconds>}. What is no number is not there.
	 */
	private void serverTiming(int from) {
		int start = endOf(BACKEND_DURATION, from);
		if (start < 0) {
			return;
		}
		int point = endOfDigits(start);
		long millis = (point - start <= MOST_DIGITS) ? digits(start, point) : UNKNOWN;
		if (millis == UNKNOWN) {
			return;
		}
		long nanos = millis * NANOS_PER_MILLI;
		if (point < this.lineLength && this.line[point] == '.') {
			long unit = NANOS_PER_MILLI / 10;
			int end = endOfDigits(point + 1);
			for (int index = point + 1; index < end; index++) {
				nanos += (this.line[index] - '0') * unit;
				unit /= 10;
			}
		}
		this.backendNanos = nanos;
	}

	private int endOfDigits(int from) {
		int index = from;
		while (index < this.lineLength && this.line[index] >= '0' && this.line[index] <= '9') {
			index++;
		}
		return index;
	}

	/**
	 * Returns where the text ends in the line, negative if it is not there.
	 */
	private int endOf(byte[] text, int from) {
		for (int start = from; start + text.length <= this.lineLength; start++) {
			if (Arrays.equals(this.line, start, start + text.length, text, 0, text.length)) {
				return start + text.length;
			}
		}
		return -1;
	}

	private void contentLength(int from) throws ProtocolException {
		int start = skipSpace(from, this.lineLength);
		int end = trimSpace(start, this.lineLength);
		long length = (end - start > 18) ? UNKNOWN : digits(start, end);
		if (length < 0 || (this.contentLength != UNKNOWN && this.contentLength != length)) {
			throw new ProtocolException("its Content-Length is not one number");
		}
		this.contentLength = length;
	}

	private void connection(int from) {
		int start = from;
		while (start < this.lineLength) {
			int end = start;
			while (end < this.lineLength && this.line[end] != ',') {
				end++;
			}
			if (tokenIs(CLOSE, start, end)) {
				this.keepAlive = false;
				return;
			}
			this.keepAlive |= tokenIs(KEEP_ALIVE, start, end);
			start = end + 1;
		}
	}

	private void headComplete() throws ProtocolException {
		if (this.status == 101) {
			throw new ProtocolException("it switches to another protocol");
		}
		if (this.status < 200) {
			this.state = State.STATUS;
		}
		else if (this.head || this.status == 204 || this.status == 304) {
			this.state = State.DONE;
		}
		else if (this.chunked) {
			this.state = State.CHUNK_SIZE;
		}
		else if (this.transferEncoding || this.contentLength == UNKNOWN) {
			this.keepAlive = false;
			this.state = State.UNTIL_CLOSE;
		}
		else {
			this.remaining = this.contentLength;
			this.state = State.FIXED;
		}
	}

	private void chunkSize() throws ProtocolException {
		long size = 0;
		int index = 0;
		int digit;
		while (index < this.lineLength && (digit = Character.digit(this.line[index], 16)) >= 0) {
			size = size * 16 + digit;
			index++;
		}
		boolean ends = index == this.lineLength || this.line[index] == ';' || isSpace(this.line[index]);
		if (index == 0 || index > 15 || !ends) {
			throw new ProtocolException("the size of a chunk is not a hexadecimal number");
		}
		this.remaining = size;
		this.state = (size == 0) ? State.TRAILER : State.CHUNK;
	}

	/**
	 * Compares the beginning of the line, in any case.
	 * @param expected what it must be, in lower case where letters are concerned
	 * @param colon where a colon must be, 0 if none is needed
	 */
	private boolean startsWith(byte[] expected, int colon) {
		if (this.lineLength < expected.length || (colon > 0 && (colon >= this.lineLength || this.line[colon] != ':'))) {
			return false;
		}
		for (int i = 0; i < expected.length; i++) {
			if (this.line[i] != expected[i] && (this.line[i] | 0x20) != expected[i]) {
				return false;
			}
		}
		return true;
	}

	private boolean tokenIs(byte[] expected, int from, int to) {
		int start = skipSpace(from, to);
		if (trimSpace(start, to) - start != expected.length) {
			return false;
		}
		for (int i = 0; i < expected.length; i++) {
			if ((this.line[start + i] | 0x20) != expected[i]) {
				return false;
			}
		}
		return true;
	}

	private long digits(int from, int to) {
		if (from == to) {
			return UNKNOWN;
		}
		long value = 0;
		for (int i = from; i < to; i++) {
			int digit = this.line[i] - '0';
			if (digit < 0 || digit > 9) {
				return UNKNOWN;
			}
			value = value * 10 + digit;
		}
		return value;
	}

	private int lastComma() {
		int index = this.lineLength - 1;
		while (index >= 0 && this.line[index] != ',') {
			index--;
		}
		return index;
	}

	private int skipSpace(int from, int to) {
		int index = from;
		while (index < to && isSpace(this.line[index])) {
			index++;
		}
		return index;
	}

	private int trimSpace(int from, int to) {
		int index = to;
		while (index > from && isSpace(this.line[index - 1])) {
			index--;
		}
		return index;
	}

	private static boolean isSpace(byte value) {
		return value == ' ' || value == '\t';
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
