package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A body that is rewritten comes whole or visibly broken, goes no faster than the client
 * takes it, and ends when the client does.
 */
class TransferContract extends SingleRouteContract {

	private static final int MAX_BUFFER_SIZE = 64 * 1024;

	static final int HELD = 1_000;

	static final int STREAMED = 4 * MAX_BUFFER_SIZE;

	/**
	 * What may be under way to a client that reads nothing: the body that is held, and
	 * the buffers of the sockets, of up to 4 and 6 MB each where Linux sizes them.
	 */
	private static final long MAX_UNDER_WAY = 32_000_000;

	TransferContract(Gateway gateway) {
		super(gateway, "gateway-bench.body-rewrite.max-buffer-size=" + MAX_BUFFER_SIZE + "B");
	}

	@BeforeEach
	void forgetRequests() throws InterruptedException {
		while (upstream().pendingRequests() > 0) {
			upstream().request();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { HELD, STREAMED })
	void trailersOfTheUpstreamAreLeftOut(int length) throws Exception {
		String members = members(length);
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
				+ "Trailer: X-Checksum\r\n\r\n%x\r\n%s}\r\n0\r\nX-Checksum: 1\r\n\r\n".formatted(members.length() + 1,
						members));
		assertThat(get().text()).startsWith(members + ",\"_gateway\":{").endsWith("\"processed\":true}}");
		assertThat(getToTheEnd()).doesNotContainIgnoringCase("trailer", "checksum");
	}

	/**
	 * They are no headers (RFC 9110, section 6.5.1).
	 */
	@Test
	void trailersBecomeNoHeadersInEitherDirection() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
				+ "Trailer: X-Checksum\r\n\r\n2\r\nok\r\n0\r\nX-Checksum: 1\r\nContent-Length: 7\r\n\r\n");
		for (int i = 0; i < 3; i++) {
			Message response = HttpExchange.send(port(),
					"POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
							+ "Trailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 2\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n");
			assertThat(response.text()).isEqualTo("ok");
			assertThat(response.headers("X-Checksum")).isEmpty();
			assertThat(response.headers("Content-Length")).isEmpty();
			Message request = upstream().request();
			assertThat(request.text()).isEqualTo("abc");
			assertThat(request.headers("X-Sum")).isEmpty();
			assertThat(request.headers("X-Forwarded-For")).doesNotContain("10.0.0.1");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { HELD, STREAMED })
	void whatTheUpstreamSendsBeyondItsContentLengthIsNoPartOfAnyResponse(int length) throws Exception {
		String members = members(length);
		String forged = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nforged";
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s}%s"
			.formatted(members.length() + 1, members, forged));
		int whole = 0;
		for (int i = 0; i < 5; i++) {
			Message response = get();
			// A client that notices only when it uses the connection again has to give up
			assertThat(response.status()).isIn(200, 502);
			if (response.status() == 200) {
				assertThat(response.text()).startsWith(members + ",\"_gateway\":{").endsWith("\"processed\":true}}");
				whole++;
			}
		}
		assertThat(whole).isPositive();
	}

	@ParameterizedTest
	@ValueSource(ints = { HELD, STREAMED })
	void aContentLengthThatCutsTheBodyIsThatOfAnotherBody(int length) throws Exception {
		String body = members(length) + "}";
		String cut = body.substring(0, body.length() - 1);
		upstream().answer((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
					+ "Content-Length: %d\r\n\r\n%s".formatted(cut.length(), body));
			throw new IOException("No connection to use again");
		});
		assertThat(get().text()).isEqualTo(cut);
	}

	/**
	 * Whether the client for upstreams knows a connection that is reset from one that is
	 * closed.
	 */
	boolean tellsResets() {
		return true;
	}

	@ParameterizedTest
	@CsvSource({ "application/json, Content-Length: 1000000", "application/json, Transfer-Encoding: chunked",
			"text/plain, Content-Length: 1000000", "text/plain, Transfer-Encoding: chunked",
			"text/plain, Connection: close" })
	void aBodyWhoseConnectionIsResetIsABrokenTransfer(String contentType, String framing) {
		assumeThat(tellsResets() || !framing.startsWith("Connection")).as("The client takes a reset for the end")
			.isTrue();
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			String members = members(STREAMED);
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n\r\n".formatted(contentType, framing));
			write(out, framing.endsWith("chunked") ? "%x\r\n%s\r\n".formatted(members.length(), members) : members);
			RawUpstream.await(headRead);
			throw new RawUpstream.Reset();
		});
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> HttpExchange.send(port(), HttpExchange.getRequest("/service/x"), headRead::countDown));
		assertThat(headRead.getCount()).isZero();
	}

	@Test
	void anUploadThatTheClientBreaksOffIsNeverWholeForTheUpstream() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		String chunk = "%x\r\n%s\r\n".formatted(50_000, "x".repeat(50_000));
		for (int i = 0; i < 50; i++) {
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
				write(client.getOutputStream(), "PUT /service/broken-off HTTP/1.1\r\nHost: gateway\r\n"
						+ "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk);
			}
			assertThat(HttpExchange.get(port(), "/service/broken-off").text()).isEqualTo("ok");
			assertThat(upstream().requestOf("/broken-off").startLine()).startsWith("GET");
		}
	}

	/**
	 * An error page behind it would make it as long as it should be.
	 */
	@Test
	void nothingIsPutInPlaceOfTheEndOfABodyThatBreaksOff() throws Exception {
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100010\r\n\r\n"
					+ "x".repeat(100_000));
			RawUpstream.await(headRead);
			throw new IOException("Closed by the test");
		});
		try (Socket client = connect()) {
			InputStream in = client.getInputStream();
			assertThat(in.readNBytes(10_000)).hasSize(10_000);
			headRead.countDown();
			assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).matches("x*").hasSizeLessThan(100_000);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "xyz\r\n", "-1\r\n", "fffffffffffffffffffff\r\n" })
	void aBodyWithBrokenChunksIsABrokenTransfer(String size) {
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			String members = members(STREAMED);
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
					+ "%x\r\n%s\r\n".formatted(members.length(), members));
			RawUpstream.await(headRead);
			write(out, size + "}\r\n0\r\n\r\n");
		});
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> HttpExchange.send(port(), HttpExchange.getRequest("/service/x"), headRead::countDown));
		assertThat(headRead.getCount()).isZero();
	}

	@Test
	void aHeldBodyWithBrokenChunksIsABadGateway() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
				+ "7\r\n{\"a\":1}\r\nxyz\r\n\r\n");
		assertThat(get().status()).isEqualTo(502);
	}

	@Test
	void theUpstreamIsReleasedWhenTheClientLeavesBeforeTheBodyIsDecided() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch left = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		upstream().answer((out) -> {
			asked.countDown();
			RawUpstream.await(left);
			endless(out, new AtomicLong(), released);
		});
		try (Socket client = connect()) {
			RawUpstream.await(asked);
		}
		left.countDown();
		RawUpstream.await(released);
	}

	@Test
	void theUpstreamIsReleasedWhenTheClientLeavesInTheMiddleOfTheBody() throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		upstream().answer((out) -> endless(out, new AtomicLong(), released));
		try (Socket client = connect()) {
			assertThat(client.getInputStream().readNBytes(2 * MAX_BUFFER_SIZE)).hasSize(2 * MAX_BUFFER_SIZE);
		}
		RawUpstream.await(released);
	}

	@Test
	void aSlowClientSlowsTheUpstreamDown() throws Exception {
		AtomicLong written = new AtomicLong();
		CountDownLatch released = new CountDownLatch(1);
		upstream().answer((out) -> endless(out, written, released));
		try (Socket client = connect()) {
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(written::get, (count) -> count > MAX_BUFFER_SIZE);
			awaitStandstill(written);
			assertThat(written).hasValueLessThan(MAX_UNDER_WAY);
			// It was the client that it waited for
			long before = written.get();
			InputStream in = client.getInputStream();
			while (written.get() == before) {
				assertThat(in.readNBytes(MAX_BUFFER_SIZE)).hasSize(MAX_BUFFER_SIZE);
			}
		}
		RawUpstream.await(released);
	}

	/**
	 * Nothing has been written for a while, or too much.
	 */
	private static void awaitStandstill(AtomicLong written) {
		AtomicLong last = new AtomicLong(-1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(500))
			.until(() -> last.getAndSet(written.get()) == written.get() || written.get() > MAX_UNDER_WAY);
	}

	private static void endless(OutputStream out, AtomicLong written, CountDownLatch released) throws IOException {
		try {
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
					+ "6\r\n{\"a\":\"\r\n");
			byte[] chunk = ("1000\r\n" + "x".repeat(0x1000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
			while (true) {
				out.write(chunk);
				written.addAndGet(chunk.length);
			}
		}
		finally {
			released.countDown();
		}
	}

	/**
	 * A client that has asked, and has room for next to nothing.
	 */
	private Socket connect() throws IOException {
		Socket client = new Socket();
		client.setReceiveBufferSize(8 * 1024);
		client.setSoTimeout(20_000);
		client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
		write(client.getOutputStream(), HttpExchange.getRequest("/service/x"));
		return client;
	}

	private Message get() throws IOException {
		return HttpExchange.get(port(), "/service/x");
	}

	private String getToTheEnd() throws IOException {
		try (Socket client = connect()) {
			return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.US_ASCII));
		out.flush();
	}

	private static String members(int length) {
		return "{\"a\":\"" + "x".repeat(length) + "\"";
	}

}
