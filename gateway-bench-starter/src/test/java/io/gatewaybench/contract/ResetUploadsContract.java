package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An upstream that resets the connection while the client still sends.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResetUploadsContract {

	private static final byte[] PIECE = "x".repeat(10_000).getBytes(StandardCharsets.US_ASCII);

	private static final int PIECES = 30;

	private static final int ROUNDS = 2 * ConnectionsContract.TIMES;

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	ResetUploadsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	/**
	 * What goes wrong with one request may spoil the next one of its connection.
	 */
	@ParameterizedTest
	@CsvSource({ "true, true", "true, false", "false, true" })
	void theClientGetsABadGatewayAndNobodyReadsOn(boolean chunked, boolean reset, CapturedOutput output)
			throws Exception {
		this.upstream.startOver();
		int threads = ConnectionsContract.threads();
		for (int i = 0; i < ROUNDS; i++) {
			this.upstream.answerEarly((out) -> {
				throw reset ? new RawUpstream.Reset() : new IOException("Closed by the test");
			});
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
				client.setSoTimeout(20_000);
				CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> upload(client, chunked),
						(task) -> new Thread(task).start());
				InputStream in = client.getInputStream();
				Message response = read(in);
				assertThat(response.status()).as("round %d", i).isEqualTo(502);
				if (!response.headers("Connection").contains("close")) {
					sending.join();
					this.upstream.answerEarly("");
					client.getOutputStream()
						.write(HttpExchange.getRequest("/service/x").getBytes(StandardCharsets.US_ASCII));
					assertThat(read(in).status()).as("after round %d", i).isEqualTo(204);
				}
			}
		}
		ConnectionsContract.awaitThreads(threads);
		assertThat(output).doesNotContain("Error finishing request").doesNotContain("BufferOverflowException");
	}

	private static void upload(Socket client, boolean chunked) {
		try {
			OutputStream out = client.getOutputStream();
			String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + PIECES * PIECE.length;
			out.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\n%s\r\n\r\n".formatted(framing)
				.getBytes(StandardCharsets.US_ASCII));
			for (int i = 0; i < PIECES; i++) {
				if (chunked) {
					out.write("%x\r\n".formatted(PIECE.length).getBytes(StandardCharsets.US_ASCII));
				}
				out.write(PIECE);
				if (chunked) {
					out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
				}
			}
			if (chunked) {
				out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			}
		}
		catch (IOException ex) {
			// The gateway has closed the connection, or the test
		}
	}

	private static Message read(InputStream in) throws IOException {
		return Message.read(in, false, () -> {
		});
	}

}
