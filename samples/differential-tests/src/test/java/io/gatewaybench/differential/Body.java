package io.gatewaybench.differential;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

	Body() {
		this(-1);
	}

	/**
	 * A body of which no more than some bytes are wanted.
	 */
	Body(int limit) {
		this.limit = limit;
	}

	synchronized void add(byte[] buffer, int length) throws IOException {
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
		byte[] content = content();
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
