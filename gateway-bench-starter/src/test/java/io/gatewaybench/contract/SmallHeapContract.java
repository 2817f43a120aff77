package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a gateway with a heap of 128 MB bears. It takes minutes, so each class that has it
 * is for those who ask for it.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class SmallHeapContract {

	private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

	private static final int SECONDS_OF_A_SLOW_RESPONSE = 5;

	private final Gateway gateway;

	private final CountDownLatch end = new CountDownLatch(1);

	private final List<Socket> clients = new ArrayList<>();

	@TempDir
	private Path directory;

	private RawUpstream upstream;

	private RawUpstream silent;

	private int port;

	private JavaProcess process;

	protected SmallHeapContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.silent = new RawUpstream();
		this.silent.answer((out) -> RawUpstream.await(this.end));
		List<String> properties = Gateway.route(0, "the-route", "service", List.of(this.upstream.url()));
		properties.addAll(Gateway.route(1, "silent", "silent", List.of(this.silent.url())));
		properties.add("gateway-bench.upstreams.silent.timeouts.response=500ms");
		properties.add("spring.threads.virtual.enabled=true");
		this.process = JavaProcess.start(this.directory, this.gateway.application(),
				List.of("-Xmx128m", "-Dspring.devtools.restart.enabled=false"),
				this.gateway.arguments(properties.toArray(String[]::new)));
		this.port = this.process.awaitStart(1);
	}

	@AfterEach
	void stop() throws IOException {
		this.end.countDown();
		for (Socket client : this.clients) {
			client.close();
		}
		this.process.close();
		this.upstream.close();
		this.silent.close();
	}

	@Test
	void slowResponsesThatTogetherAreLongerThanTheHeapAllArrive() throws Exception {
		byte[] body = ("{\"a\":\"" + "x".repeat(255 * 1024) + "\"}").getBytes(StandardCharsets.US_ASCII);
		this.upstream.answer((out) -> {
			out.write((HEAD + "Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
			out.write(body, 0, body.length / 2);
			out.flush();
			// As many requests as the gateway takes at a time wait for the rest
			LockSupport.parkNanos(SECONDS_OF_A_SLOW_RESPONSE * 1_000_000_000L);
			out.write(body, body.length / 2, body.length - body.length / 2);
		});
		assertThatAllArrive(500, body.length);
		assertThatAllIsWell();
	}

	@Test
	void bodiesInPiecesOfOneByteAllArrive() throws Exception {
		byte[] body = ("{\"a\":\"" + "x".repeat(200 * 1024) + "\"}").getBytes(StandardCharsets.US_ASCII);
		byte[] chunks = new byte[6 * body.length];
		for (int i = 0; i < body.length; i++) {
			byte[] chunk = { '1', '\r', '\n', body[i], '\r', '\n' };
			System.arraycopy(chunk, 0, chunks, 6 * i, 6);
		}
		CountDownLatch all = new CountDownLatch(60);
		this.upstream.answer((out) -> {
			out.write((HEAD + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
			out.write(chunks);
			out.flush();
			all.countDown();
			awaitLong(all);
			out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		});
		assertThatAllArrive(60, body.length);
		assertThatAllIsWell();
	}

	@Test
	void idleConnectionsKeepNobodyOut() throws Exception {
		for (int i = 0; i < 5_000; i++) {
			this.clients.add(new Socket(InetAddress.getLoopbackAddress(), this.port));
		}
		assertThatAllIsWell();
	}

	private void assertThatAllArrive(int count, int length) throws IOException {
		for (int i = 0; i < count; i++) {
			Socket client = new Socket(InetAddress.getLoopbackAddress(), this.port);
			this.clients.add(client);
			client.setSoTimeout(60_000);
			client.getOutputStream().write(HttpExchange.getRequest("/service/x").getBytes(StandardCharsets.US_ASCII));
		}
		for (Socket client : this.clients) {
			Message response = Message.read(new BufferedInputStream(client.getInputStream()), false, () -> {
			});
			assertThat(response.status()).as(response.text().substring(0, Math.min(300, response.text().length())))
				.isEqualTo(200);
			assertThat(response.body()).hasSizeGreaterThan(length);
			assertThat(Arrays.copyOfRange(response.body(), length - 1, length + 12)).asString()
				.startsWith(",\"_gateway\":");
		}
	}

	private void assertThatAllIsWell() throws IOException {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		assertThat(HttpExchange.get(this.port, "/service/x").text()).isEqualTo("ok");
		assertThat(HttpExchange.get(this.port, "/silent/x").status()).isEqualTo(504);
		assertThat(this.process.log()).doesNotContain("OutOfMemoryError", "failed. It goes on");
	}

	private static void awaitLong(CountDownLatch latch) throws IOException {
		try {
			if (!latch.await(60, TimeUnit.SECONDS)) {
				throw new IOException("Not all requests came");
			}
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

}
