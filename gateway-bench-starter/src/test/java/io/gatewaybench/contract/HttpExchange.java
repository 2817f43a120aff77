package io.gatewaybench.contract;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * HTTP/1.1 as bytes, for what a client library would tidy up.
 */
final class HttpExchange {

	private HttpExchange() {
	}

	/**
	 * Send a request and read the response to the end of the connection.
	 */
	static Message send(int port, String request) throws IOException {
		return send(port, request, () -> {
		});
	}

	/**
	 * Send a request and read the response, with something to do between its head and its
	 * body.
	 */
	static Message send(int port, String request, Runnable afterHead) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(20_000);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			socket.getOutputStream().flush();
			return Message.read(socket.getInputStream(), request.startsWith("HEAD "), afterHead);
		}
	}

	/**
	 * Send a request without a body.
	 */
	static Message get(int port, String target) throws IOException {
		return send(port, getRequest(target));
	}

	static String getRequest(String target) {
		return "GET %s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n".formatted(target);
	}

	/**
	 * One message as it came over the wire.
	 *
	 * @param startLine request line or status line
	 * @param headers lines of the header
	 * @param body content without its framing
	 */
	record Message(String startLine, List<String> headers, byte[] body) {

		static Message read(InputStream in, boolean withoutBody, Runnable afterHead) throws IOException {
			String startLine = line(in);
			List<String> headers = new ArrayList<>();
			for (String line = line(in); !line.isEmpty(); line = line(in)) {
				headers.add(line);
			}
			Message head = new Message(startLine, headers, new byte[0]);
			afterHead.run();
			return withoutBody ? head : new Message(startLine, headers, head.readBody(in));
		}

		private byte[] readBody(InputStream in) throws IOException {
			boolean response = this.startLine.startsWith("HTTP/");
			// They tell the length of a body that is not there (RFC 9112, section 6.3)
			if (response && (status() == 204 || status() == 304)) {
				return new byte[0];
			}
			String length = header("Content-Length");
			if (length != null) {
				return exactly(in, Integer.parseInt(length));
			}
			if ("chunked".equalsIgnoreCase(header("Transfer-Encoding"))) {
				return chunks(in);
			}
			return response ? in.readAllBytes() : new byte[0];
		}

		private static byte[] chunks(InputStream in) throws IOException {
			ByteArrayOutputStream body = new ByteArrayOutputStream();
			for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
				body.write(exactly(in, size));
				line(in);
			}
			while (!line(in).isEmpty()) {
				// Trailers are of no interest here
			}
			return body.toByteArray();
		}

		private static int chunkSize(InputStream in) throws IOException {
			return Integer.parseInt(line(in).split(";")[0].trim(), 16);
		}

		private static byte[] exactly(InputStream in, int length) throws IOException {
			byte[] bytes = in.readNBytes(length);
			if (bytes.length < length) {
				throw new EOFException("Only %d of %d bytes came".formatted(bytes.length, length));
			}
			return bytes;
		}

		private static String line(InputStream in) throws IOException {
			StringBuilder line = new StringBuilder();
			for (int character = in.read(); character != '\n'; character = in.read()) {
				if (character < 0) {
					throw new EOFException("The connection ended after '%s'".formatted(line));
				}
				line.append((char) character);
			}
			return line.toString().stripTrailing();
		}

		int status() {
			return Integer.parseInt(this.startLine.split(" ")[1]);
		}

		/**
		 * Request target as it was sent.
		 */
		String target() {
			return this.startLine.split(" ")[1];
		}

		String header(String name) {
			List<String> values = headers(name);
			return values.isEmpty() ? null : values.get(0);
		}

		List<String> headers(String name) {
			String prefix = name.toLowerCase(Locale.ROOT) + ":";
			return this.headers.stream()
				.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
				.map((line) -> line.substring(prefix.length()).trim())
				.toList();
		}

		String text() {
			return new String(this.body, StandardCharsets.UTF_8);
		}

	}

}
