package io.gatewaybench.benchmark.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

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
			int status;
			try {
				status = status(socket, HttpResponse.class);
			}
			catch (IOException ex) {
				// The connection may end without an answer, too
				return;
			}
			if (status < 400 || status > 499) {
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
			int status = status(socket, LastHttpContent.class);
			if (status != 200 && status != 413) {
				throw new IOException("an upload was answered with " + status);
			}
		}

	};

	private static final String PATH = "/" + Loads.SERVICE + "/api/";

	private static final String UPLOAD_HEAD = "POST " + PATH
			+ "process HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n";

	// The upstream is to have seen the begin
	private static final long UNTIL_IT_HAS_GONE_ON_MILLIS = 100;

	private static final long BETWEEN_PIECES_MILLIS = 20;

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
	 * The status of the answer.
	 * @param end the part of it that must have come
	 */
	private static int status(Socket socket, Class<? extends HttpObject> end) throws IOException {
		EmbeddedChannel decoder = new EmbeddedChannel(new HttpResponseDecoder());
		InputStream in = socket.getInputStream();
		byte[] bytes = new byte[8192];
		int status = 0;
		try {
			for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
				decoder.writeInbound(Unpooled.copiedBuffer(bytes, 0, length));
				for (HttpObject part = decoder.readInbound(); part != null; part = decoder.readInbound()) {
					status = (part instanceof HttpResponse response) ? response.status().code() : status;
					ReferenceCountUtil.release(part);
					if (end.isInstance(part)) {
						return status;
					}
				}
			}
			throw new EOFException("a connection ended without a whole answer");
		}
		finally {
			decoder.close();
		}
	}

}
