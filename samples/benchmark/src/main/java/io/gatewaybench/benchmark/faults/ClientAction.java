package io.gatewaybench.benchmark.faults;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a client beside the usual load does with its connection. Every second client of a
 * kind does it in another way.
 */
enum ClientAction {

	/**
	 * Sends 20,000 of 1,000,000 bytes, and closes or resets the connection.
	 */
	ABORTED_UPLOAD {

		@Override
		void happen(Socket socket, long end) throws IOException, InterruptedException {
			OutputStream out = socket.getOutputStream();
			out.write(ascii(UPLOAD_HEAD + "Content-Length: 1000000\r\n\r\n"));
			out.write(filler(20_000));
			Thread.sleep(UNTIL_IT_HAS_GONE_ON_MILLIS);
			if (ThreadLocalRandom.current().nextBoolean()) {
				socket.setSoLinger(true, 0);
			}
		}

	},

	/**
	 * Sends a chunk, and something that is no chunk.
	 */
	MALFORMED_UPLOAD {

		@Override
		void happen(Socket socket, long end) throws IOException, InterruptedException {
			OutputStream out = socket.getOutputStream();
			out.write(ascii(UPLOAD_HEAD + "Transfer-Encoding: chunked\r\n\r\n4e20\r\n"));
			out.write(filler(20_000));
			if (ThreadLocalRandom.current().nextBoolean()) {
				Thread.sleep(UNTIL_IT_HAS_GONE_ON_MILLIS);
			}
			out.write(ascii("\r\nno size\r\n"));
			String status = statusOrNothing(socket);
			if (!status.isEmpty() && !status.startsWith("4")) {
				throw new IOException("malformed chunks were answered with " + status);
			}
		}

	},

	/**
	 * Asks for 5 MB, and reads them slowly or not at all.
	 */
	SLOW_READER {

		@Override
		void happen(Socket socket, long end) throws IOException, InterruptedException {
			String request = "GET " + PATH + "heavy HTTP/1.1\r\nHost: gateway\r\n\r\n";
			socket.getOutputStream().write(ascii(request.repeat(100)));
			boolean reads = ThreadLocalRandom.current().nextBoolean();
			while (System.nanoTime() < end) {
				Thread.sleep(UNTIL_IT_HAS_GONE_ON_MILLIS);
				if (reads && socket.getInputStream().readNBytes(1000).length == 0) {
					throw new EOFException("the connection of a slow reader was closed");
				}
			}
		}

	},

	/**
	 * Uploads 100,000 bytes in pieces, and waits for the answer, which may come early.
	 */
	UPLOAD {

		@Override
		void happen(Socket socket, long end) throws IOException, InterruptedException {
			OutputStream out = socket.getOutputStream();
			out.write(ascii(UPLOAD_HEAD + "Content-Length: 100000\r\n\r\n"));
			byte[] body = filler(100_000);
			body[body.length - 2] = '"';
			body[body.length - 1] = '}';
			for (int sent = 0; sent < body.length; sent += 10_000) {
				out.write(body, sent, 10_000);
				Thread.sleep(BETWEEN_PIECES_MILLIS);
			}
			InputStream in = new BufferedInputStream(socket.getInputStream());
			String head = head(in);
			String status = status(head);
			if (!status.equals("200") && !status.equals("413")) {
				throw new IOException("an upload was answered with " + status);
			}
			readBody(in, head.toLowerCase(Locale.ROOT));
		}

	};

	private static final String PATH = "/" + Loads.SERVICE + "/api/";

	private static final String UPLOAD_HEAD = "POST " + PATH
			+ "process HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n";

	// The upstream is to have seen the begin
	private static final long UNTIL_IT_HAS_GONE_ON_MILLIS = 100;

	private static final long BETWEEN_PIECES_MILLIS = 20;

	private static final String LENGTH = "\r\ncontent-length: ";

	/**
	 * Happens.
	 * @param socket the connection, which is closed afterwards
	 * @param end when it is to be over, by {@link System#nanoTime()}
	 * @throws IOException if the gateway does not answer as it must
	 */
	abstract void happen(Socket socket, long end) throws IOException, InterruptedException;

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] filler(int length) {
		String begin = "{\"filler\":\"";
		return ascii(begin + "x".repeat(length - begin.length()));
	}

	/**
	 * The status of the answer, nothing if the connection ends without one.
	 */
	private static String statusOrNothing(Socket socket) {
		try {
			return status(head(new BufferedInputStream(socket.getInputStream())));
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static String status(String head) {
		return head.substring(Math.min(9, head.length()), Math.min(12, head.length()));
	}

	private static String head(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int next = in.read();
			if (next < 0) {
				throw new EOFException("a connection ended without an answer");
			}
			head.append((char) next);
		}
		return head.toString();
	}

	private static void readBody(InputStream in, String head) throws IOException {
		int length = head.indexOf(LENGTH);
		if (length >= 0) {
			int begin = length + LENGTH.length();
			in.skipNBytes(Long.parseLong(head.substring(begin, head.indexOf('\r', begin)).strip()));
			return;
		}
		StringBuilder last = new StringBuilder();
		while (!last.toString().endsWith("\r\n0\r\n\r\n")) {
			int next = in.read();
			if (next < 0) {
				throw new EOFException("an answer ended too early");
			}
			last.append((char) next);
			last.delete(0, Math.max(0, last.length() - 7));
		}
	}

}
