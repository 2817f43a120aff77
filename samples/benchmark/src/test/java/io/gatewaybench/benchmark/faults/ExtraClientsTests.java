package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExtraClientsTests {

	private static final String NOTHING = "";

	private final Queue<byte[]> received = new ConcurrentLinkedQueue<>();

	private ServerSocket server;

	@BeforeEach
	void listen() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	@AfterEach
	void close() throws IOException {
		this.server.close();
	}

	@Test
	void anAbortedUploadSendsAPart() throws Exception {
		ExtraClients extraClients = come(ClientAction.ABORTED_UPLOAD, NOTHING);
		assertThat(extraClients.seen().visits()).isGreaterThanOrEqualTo(50);
		assertThat(extraClients.seen().failed()).isZero();
		assertThat(this.received).anySatisfy((bytes) -> assertThat(new String(bytes, StandardCharsets.US_ASCII))
			.startsWith("POST /service-a/api/process HTTP/1.1\r\n")
			.contains("Content-Length: 1000000\r\n")
			.hasSizeBetween(20_000, 20_500));
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", NOTHING })
	void malformedChunksMayBeRefusedOrTheirConnectionClosed(String answer) throws Exception {
		assertThat(come(ClientAction.MALFORMED_UPLOAD, answer).seen().failed()).isZero();
	}

	@Test
	void malformedChunksAreNotAFaultOfTheUpstream() throws Exception {
		ExtraClients extraClients = come(ClientAction.MALFORMED_UPLOAD,
				"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
		assertThat(extraClients.seen().failed()).isPositive();
		assertThat(extraClients.seen().failure()).isEqualTo("malformed chunks were answered with 502");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" })
	void anUploadTakesTheAnswerOfItsInstance(String answer) throws Exception {
		assertThat(come(ClientAction.UPLOAD, answer).seen().failed()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { NOTHING, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", "HTTP/1.1 200 OK\r\n\r\n2\r\n{}\r\n" })
	void anUploadNeedsACompleteAnswer(String answer) throws Exception {
		assertThat(come(ClientAction.UPLOAD, answer).seen().failed()).isPositive();
	}

	private ExtraClients come(ClientAction action, String answer) throws Exception {
		Thread.ofVirtual().start(() -> serve(answer));
		ExtraClients extraClients = new ExtraClients(URI.create("http://127.0.0.1:" + this.server.getLocalPort()));
		extraClients.come(action, Duration.ofMillis(1));
		return extraClients;
	}

	private void serve(String answer) {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				Thread.ofVirtual().start(() -> serve(client, answer));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket client, String answer) {
		try (client) {
			client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
			client.shutdownOutput();
			InputStream in = client.getInputStream();
			this.received.add(in.readAllBytes());
		}
		catch (IOException ex) {
			// It was reset, as some do
		}
	}

}
