package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an upstream sends reaches the client although the next piece is not there yet,
 * whatever the type of the body is.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamsContract extends SingleRouteContract {

	private static final int HELD = 1_000;

	/** No framing has them. */
	private static final char[] MARKS = { 'x', 'y', 'z' };

	StreamsContract(Gateway gateway) {
		super(gateway, "gateway-bench.body-rewrite.max-buffer-size=%dB".formatted(HELD));
	}

	@BeforeEach
	void startOver() throws IOException {
		upstream().startOver();
	}

	@ParameterizedTest
	@CsvSource({ "application/x-ndjson, true", "application/json-seq, true",
			"multipart/x-mixed-replace; boundary=b, true", "text/plain, true", "text/plain, false",
			"application/octet-stream, false", "application/json;stream=watch, true",
			"application/vnd.api+json;stream=watch, true", "text/event-stream, true" })
	void aPieceIsSentOnBeforeTheNextOneComes(String type, boolean chunked) throws Exception {
		assertSentOn(type, chunked, "{\"x\":1}\n", "{\"y\":2}\n", "{\"z\":3}\n");
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void aJsonBodyThatIsTooLongToBeHeldDoesNotWaitForItsEnd(boolean chunked) throws Exception {
		String half = "x".repeat(4 * HELD);
		assertSentOn("application/json", chunked, "{\"a\":\"" + half, half, "\"}");
	}

	@Test
	void aPieceOfALargeBodyIsSentOn() throws Exception {
		String piece = "x".repeat(100_000);
		assertSentOn("application/octet-stream", true, piece, "y", piece);
	}

	/**
	 * The upstream sends each piece only when the client has the one before, apart from
	 * what may be withheld of a body that is rewritten.
	 */
	private void assertSentOn(String type, boolean chunked, String... pieces) throws Exception {
		CountDownLatch[] read = new CountDownLatch[pieces.length];
		for (int i = 0; i < pieces.length; i++) {
			read[i] = new CountDownLatch(1);
		}
		upstream().answer((out) -> {
			int length = String.join("", pieces).length();
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n\r\n".formatted(type,
					chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length));
			for (int i = 0; i < pieces.length; i++) {
				write(out, chunked ? "%x\r\n%s\r\n".formatted(pieces[i].length(), pieces[i]) : pieces[i]);
				RawUpstream.await(read[i]);
			}
			write(out, chunked ? "0\r\n\r\n" : "");
		});
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
			client.setSoTimeout(20_000);
			write(client.getOutputStream(), "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n");
			InputStream in = client.getInputStream();
			Message.read(in, true, () -> {
			});
			int withheld = type.equals("application/json") ? HELD : 0;
			for (int i = 0; i < pieces.length; i++) {
				for (char letter : MARKS) {
					awaitLetters(in, letter, count(pieces[i], letter) - withheld);
				}
				read[i].countDown();
			}
		}
	}

	private static int count(String piece, char letter) {
		return (int) piece.chars().filter((next) -> next == letter).count();
	}

	private static void awaitLetters(InputStream in, char letter, int times) throws IOException {
		for (int left = times; left > 0;) {
			int next = in.read();
			if (next < 0) {
				throw new EOFException("The connection ended before the piece came");
			}
			left -= (next == letter) ? 1 : 0;
		}
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.US_ASCII));
		out.flush();
	}

}
