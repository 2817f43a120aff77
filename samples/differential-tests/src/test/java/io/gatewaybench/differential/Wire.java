package io.gatewaybench.differential;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Messages of HTTP/1.1 as they come, for a reader that believes nothing.
 */
final class Wire {

	private Wire() {
	}

	/**
	 * Start line and lines of the header.
	 * @return {@code null} if nothing came
	 */
	static List<String> head(InputStream in) throws IOException {
		List<String> lines = new ArrayList<>();
		int first = in.read();
		if (first < 0) {
			return null;
		}
		lines.add((char) first + line(in));
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			lines.add(line);
		}
		return lines;
	}

	/**
	 * Whether another message follows.
	 */
	static boolean isMore(InputStream in) throws SocketTimeoutException {
		try {
			return in.read() >= 0;
		}
		catch (SocketTimeoutException ex) {
			throw ex;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int character = in.read(); character != '\n'; character = in.read()) {
			if (character < 0) {
				throw new EOFException();
			}
			line.append((char) character);
		}
		if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
			throw new IOException("A line without CR: " + line);
		}
		line.setLength(line.length() - 1);
		return line.toString();
	}

	/**
	 * Values of a header.
	 */
	static List<String> values(List<String> head, String name) {
		String prefix = name.toLowerCase(Locale.ROOT) + ":";
		return head.stream()
			.skip(1)
			.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
			.map((line) -> line.substring(prefix.length()).trim())
			.toList();
	}

	/**
	 * Read a body as its head tells.
	 */
	static void body(InputStream in, List<String> head, boolean untilClose, Body body) throws IOException {
		List<String> lengths = values(head, "content-length");
		List<String> codings = values(head, "transfer-encoding");
		if (lengths.size() + codings.size() > 1) {
			throw new IOException("Two ways to tell the end of a body: " + head);
		}
		if (!codings.isEmpty()) {
			if (!codings.get(0).equalsIgnoreCase("chunked")) {
				throw new IOException("Unknown transfer coding: " + head);
			}
			chunks(in, body);
		}
		else if (!lengths.isEmpty()) {
			bytes(in, Long.parseLong(lengths.get(0)), body);
		}
		else if (untilClose) {
			byte[] buffer = new byte[8192];
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				body.add(buffer, read);
			}
		}
		body.complete();
	}

	private static void chunks(InputStream in, Body body) throws IOException {
		for (long size = size(in); size > 0; size = size(in)) {
			bytes(in, size, body);
			if (!line(in).isEmpty()) {
				throw new IOException("A chunk does not end where it should");
			}
		}
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			body.trailer(line);
		}
	}

	private static long size(InputStream in) throws IOException {
		return Long.parseLong(line(in), 16);
	}

	private static void bytes(InputStream in, long length, Body body) throws IOException {
		byte[] buffer = new byte[8192];
		for (long left = length; left > 0;) {
			int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
			if (read < 0) {
				throw new EOFException();
			}
			body.add(buffer, read);
			left -= read;
		}
	}

}
