package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An upstream that sends back what it reads, as it reads it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DuplexContract {

	/** More than all sockets in between can hold. */
	private static final int LENGTH = 64_000_000;

	private static final byte[] PIECE = "0123456789abcdefghijklmnopqrstuv".repeat(500)
		.getBytes(StandardCharsets.US_ASCII);

	private final Gateway gateway;

	private ServerSocket upstream;

	private RunningGateway running;

	DuplexContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		daemon(this::accept);
		this.running = this.gateway.startWithRoute(List.of("http://127.0.0.1:" + this.upstream.getLocalPort()));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anUploadThatComesBackWhileItIsReadComesBackWhole(boolean chunked) throws Exception {
		try (Socket client = connect()) {
			CompletableFuture<Void> sending = new CompletableFuture<>();
			daemon(() -> upload(client, chunked, sending));
			InputStream in = client.getInputStream();
			assertThat(head(in).status()).isEqualTo(200);
			byte[] back = new byte[PIECE.length];
			for (int i = 0; i < LENGTH / PIECE.length; i++) {
				readContent(in, back);
				assertThat(back).isEqualTo(PIECE);
			}
			sending.get();
		}
		assertThat(this.running.upstreamEvents("ejections")).isZero();
		assertThat(this.running.upstreamEvents("retries")).isZero();
	}

	@Test
	void aClientMayWaitForTheAnswerToEachPiece() throws Exception {
		try (Socket client = connect()) {
			write(client, "POST /service/x HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n");
			InputStream in = client.getInputStream();
			for (int i = 0; i < 20; i++) {
				write(client, "2\r\n%02d\r\n".formatted(i));
				if (i == 0) {
					assertThat(head(in).status()).isEqualTo(200);
				}
				byte[] back = new byte[2];
				readContent(in, back);
				assertThat(new String(back, StandardCharsets.US_ASCII)).isEqualTo("%02d".formatted(i));
			}
			write(client, "0\r\n\r\n");
			assertThat(line(in)).isEqualTo("0");
			assertThat(line(in)).isEmpty();
			// The connection goes on
			write(client, "POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\nok");
			byte[] back = new byte[2];
			assertThat(head(in).status()).isEqualTo(200);
			readContent(in, back);
			assertThat(new String(back, StandardCharsets.US_ASCII)).isEqualTo("ok");
		}
	}

	/**
	 * The upstream has answered and wants no more.
	 */
	@Test
	void aRefusalReachesAClientThatStillSends() throws Exception {
		try (Socket client = connect()) {
			write(client,
					"POST /service/refuse HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
			assertThat(Message.read(client.getInputStream(), false, () -> {
			}).text()).isEqualTo("no");
			write(client, "2\r\ncd\r\n0\r\n\r\n");
		}
		try (Socket client = connect()) {
			write(client, "POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\nok");
			assertThat(head(client.getInputStream()).status()).isEqualTo(200);
		}
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	@Test
	void theLongestBodiesThatCanBeAnnouncedPassAsTheyCome() throws Exception {
		try (Socket client = connect()) {
			write(client, "POST /service/longest HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\nabc"
				.formatted(Long.MAX_VALUE));
			InputStream in = client.getInputStream();
			assertThat(head(in).header("Content-Length")).isEqualTo(Long.toString(Long.MAX_VALUE));
			assertThat(in.readNBytes(3)).asString().isEqualTo("abc");
		}
	}

	private Socket connect() throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port());
		client.setTcpNoDelay(true);
		client.setSoTimeout(20_000);
		return client;
	}

	private static void upload(Socket client, boolean chunked, CompletableFuture<Void> sending) {
		try {
			int count = LENGTH / PIECE.length;
			write(client, "POST /service/x HTTP/1.1\r\nHost: gateway\r\n%s\r\n\r\n"
				.formatted(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + count * PIECE.length));
			OutputStream out = client.getOutputStream();
			for (int i = 0; i < count; i++) {
				write(client, chunked ? "%x\r\n".formatted(PIECE.length) : "");
				out.write(PIECE);
				write(client, chunked ? "\r\n" : "");
			}
			write(client, chunked ? "0\r\n\r\n" : "");
			sending.complete(null);
		}
		catch (IOException ex) {
			sending.completeExceptionally(ex);
		}
	}

	private static void write(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private static Message head(InputStream in) throws IOException {
		return Message.read(in, true, () -> {
		});
	}

	private int leftOfChunk;

	/**
	 * Read so many bytes of a body in chunks.
	 */
	private void readContent(InputStream in, byte[] target) throws IOException {
		int read = 0;
		while (read < target.length) {
			if (this.leftOfChunk == 0) {
				this.leftOfChunk = Integer.parseInt(line(in), 16);
			}
			int count = in.read(target, read, Math.min(this.leftOfChunk, target.length - read));
			if (count < 0) {
				throw new EOFException("The body ended too early");
			}
			read += count;
			this.leftOfChunk -= count;
			if (this.leftOfChunk == 0) {
				line(in);
			}
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException("The connection ended after '%s'".formatted(line));
			}
			line.append((char) next);
		}
		return line.toString().stripTrailing();
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.upstream.accept();
				socket.setTcpNoDelay(true);
				daemon(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed by the test
		}
	}

	private static void serve(Socket socket) {
		try (socket) {
			InputStream in = new java.io.BufferedInputStream(socket.getInputStream(), 64 * 1024);
			while (true) {
				Message head = head(in);
				if (head.startLine().contains("/refuse")) {
					write(socket, "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
					in.readAllBytes();
					return;
				}
				if (head.startLine().contains("/longest")) {
					write(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %s\r\n\r\n"
						.formatted(head.header("Content-Length")));
					in.transferTo(socket.getOutputStream());
					return;
				}
				write(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
				String length = head.header("Content-Length");
				if (length != null) {
					echo(in, socket, Integer.parseInt(length));
				}
				else {
					for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
						echo(in, socket, size);
						line(in);
					}
					line(in);
				}
				write(socket, "0\r\n\r\n");
			}
		}
		catch (IOException | UncheckedIOException ex) {
			// The gateway closed the connection
		}
	}

	private static void echo(InputStream in, Socket socket, int length) throws IOException {
		byte[] buffer = new byte[32 * 1024];
		int left = length;
		while (left > 0) {
			int count = in.read(buffer, 0, Math.min(left, buffer.length));
			if (count < 0) {
				throw new EOFException();
			}
			byte[] size = "%x\r\n".formatted(count).getBytes(StandardCharsets.US_ASCII);
			byte[] chunk = new byte[size.length + count + 2];
			System.arraycopy(size, 0, chunk, 0, size.length);
			System.arraycopy(buffer, 0, chunk, size.length, count);
			chunk[chunk.length - 2] = '\r';
			chunk[chunk.length - 1] = '\n';
			socket.getOutputStream().write(chunk);
			left -= count;
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "duplex");
		thread.setDaemon(true);
		thread.start();
	}

}
