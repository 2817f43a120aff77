package io.gatewaybench.differential;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What has come of a body.
 */
final class Body {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final List<String> trailers = new ArrayList<>();

	private final int limit;

	private boolean complete;

	private volatile OutputStream echo = OutputStream.nullOutputStream();

	Body() {
		this(-1);
	}

	/**
	 * A body of which no more than some bytes are wanted.
	 */
	Body(int limit) {
		this.limit = limit;
	}

	/**
	 * Send on what comes, in chunks.
	 */
	void echoTo(OutputStream echo) {
		this.echo = echo;
	}

	void add(byte[] buffer, int length) throws IOException {
		keep(buffer, length);
		this.echo.write("%x\r\n".formatted(length).getBytes(StandardCharsets.US_ASCII));
		this.echo.write(buffer, 0, length);
		this.echo.write("\r\n".getBytes(StandardCharsets.US_ASCII));
	}

	private synchronized void keep(byte[] buffer, int length) throws IOException {
		this.bytes.write(buffer, 0, length);
		if (this.limit >= 0 && this.bytes.size() >= this.limit) {
			throw new Enough();
		}
	}

	synchronized void trailer(String line) {
		this.trailers.add(line);
	}

	synchronized void complete() {
		this.complete = true;
	}

	synchronized boolean isComplete() {
		return this.complete;
	}

	synchronized int length() {
		return this.bytes.size();
	}

	synchronized byte[] content() {
		return this.bytes.toByteArray();
	}

	synchronized List<String> trailers() {
		return List.copyOf(this.trailers);
	}

	/**
	 * Whether it is the first bytes of something.
	 */
	boolean isPartOf(byte[] whole) {
		return isPart(content(), whole);
	}

	static boolean isPart(byte[] content, byte[] whole) {
		return content.length <= whole.length && Arrays.equals(content, Arrays.copyOf(whole, content.length));
	}

	static String describe(byte[] content) {
		CRC32 checksum = new CRC32();
		checksum.update(content);
		return "%d bytes, checksum %08x".formatted(content.length, checksum.getValue());
	}

	/**
	 * All that was wanted has come.
	 */
	static final class Enough extends IOException {

		private static final long serialVersionUID = 1L;

	}

}
