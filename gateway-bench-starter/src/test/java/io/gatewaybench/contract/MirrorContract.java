package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.contract.RawUpstream.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that another upstream gets as well. The client sees nothing of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MirrorContract {

	private final Gateway gateway;

	private RawUpstream service;

	private RawUpstream mirror;

	private ClosedPort closed;

	private RunningGateway running;

	MirrorContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.service = new RawUpstream();
		this.mirror = new RawUpstream();
		this.closed = new ClosedPort();
		String[] names = { "all", "none", "half", "impatient", "refused", "many" };
		List<String> all = new ArrayList<>();
		for (int i = 0; i < names.length; i++) {
			all.addAll(Gateway.route(i, names[i], names[i], List.of(this.service.url())));
			String of = "gateway-bench.upstreams.%s.mirror.".formatted(names[i]);
			all.add(of + "upstream=" + switch (names[i]) {
				case "impatient", "refused" -> names[i] + "-mirror";
				default -> "mirror";
			});
			all.add(of + "share=" + switch (names[i]) {
				case "none" -> "0";
				case "half" -> "0.5";
				default -> "1";
			});
		}
		all.addAll(Gateway.route(6, "two", "two",
				List.of(this.service.url(), this.service.url().replace("127.0.0.1", "localhost"))));
		all.addAll(List.of("gateway-bench.upstreams.two.mirror.upstream=mirror",
				"gateway-bench.upstreams.two.mirror.share=1",
				"gateway-bench.upstreams.mirror.instances=" + this.mirror.url(),
				"gateway-bench.upstreams.impatient-mirror.instances=" + this.mirror.url(),
				"gateway-bench.upstreams.impatient-mirror.timeouts.response=200ms",
				"gateway-bench.upstreams.refused-mirror.instances=" + this.closed.url()));
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.service.close();
		this.mirror.close();
		this.closed.close();
	}

	@BeforeEach
	void answer() throws IOException {
		this.service.startOver();
		this.mirror.startOver();
		this.service.answer("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nservice");
		this.mirror.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 6\r\n\r\nmirror");
	}

	@Test
	void theMirrorGetsTheSameRequest() throws Exception {
		double before = meter("all", "SENT");
		Message answer = HttpExchange.send(this.running.port(),
				"GET /all/a//b%20?x=%20&y HTTP/1.1\r\nHost: gateway\r\nX-Own: 1\r\nUser-Agent: me\r\nAccept: */*\r\n"
						+ "Connection: close\r\n\r\n");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).isEqualTo("service");
		Message original = this.service.request();
		Message copy = this.mirror.request();
		assertThat(copy.startLine()).isEqualTo(original.startLine());
		assertThat(headers(copy)).containsExactlyInAnyOrderElementsOf(headers(original));
		assertThat(copy.header("X-Gateway-Type")).isEqualTo(this.gateway.flavour().label());
		assertThat(copy.body()).isEmpty();
		awaitMeter("all", "SENT", before + 1);
	}

	/** Other names, other order, other connection. */
	private static List<String> headers(Message request) {
		return request.headers()
			.stream()
			.map(String::toLowerCase)
			.filter((line) -> !line.matches("(host|connection|content-length):.*"))
			.toList();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 5, 60_000 })
	void theMirrorGetsABodyThatIsHeld(int length) throws Exception {
		Message answer = post("Content-Length: %d\r\n\r\n%s".formatted(length, "b".repeat(length)));
		assertThat(answer.text()).isEqualTo("service");
		assertThat(this.service.request().body()).hasSize(length);
		assertThat(this.mirror.request().body()).isEqualTo("b".repeat(length).getBytes(StandardCharsets.US_ASCII));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 70000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n11170\r\n" })
	void aLargeBodyOrOneOfUnknownLengthIsNotMirrored(String head) throws Exception {
		double before = meter("all", "DROPPED");
		Message answer = post(head + "b".repeat(70_000) + (head.startsWith("T") ? "\r\n0\r\n\r\n" : ""));
		assertThat(answer.text()).isEqualTo("service");
		assertThat(this.service.request().body()).hasSize(70_000);
		assertThat(meter("all", "DROPPED")).isEqualTo(before + 1);
		assertThat(this.mirror.pendingRequests()).isZero();
	}

	@Test
	void theFaultsOfTheMirrorAreNotSeen() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		List<Answer> faults = List.of((out) -> {
			throw new RawUpstream.Reset();
		}, (out) -> {
			throw new IOException("closed");
		}, (out) -> out.write("nonsense\r\n\r\n".getBytes(StandardCharsets.US_ASCII)), (out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("closed");
		}, (out) -> RawUpstream.await(end), (out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(end);
		});
		for (Answer fault : faults) {
			double before = meter("impatient", "FAILED");
			this.mirror.answer(fault);
			Message answer = HttpExchange.get(this.running.port(), "/impatient/x");
			assertThat(answer.text()).isEqualTo("service");
			awaitMeter("impatient", "FAILED", before + 1);
		}
		end.countDown();
	}

	@Test
	void aMirrorThatIsNotThereIsNotSeen() throws Exception {
		double before = meter("refused", "FAILED");
		assertThat(HttpExchange.get(this.running.port(), "/refused/x").text()).isEqualTo("service");
		awaitMeter("refused", "FAILED", before + 1);
	}

	@Test
	void theRestOfALongResponseIsNotRead() throws Exception {
		double before = meter("all", "SENT");
		CountDownLatch left = new CountDownLatch(1);
		this.mirror.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			try {
				for (int i = 0; i < 1_000; i++) {
					out.write(new byte[1_000_000]);
				}
			}
			catch (IOException ex) {
				left.countDown();
				throw ex;
			}
		});
		assertThat(HttpExchange.get(this.running.port(), "/all/x").text()).isEqualTo("service");
		RawUpstream.await(left);
		awaitMeter("all", "SENT", before + 1);
	}

	@Test
	void theMirrorGetsItsShare() throws Exception {
		for (int i = 0; i < 20; i++) {
			HttpExchange.get(this.running.port(), "/none/x");
		}
		double before = meter("half", "SENT");
		for (int i = 0; i < 100; i++) {
			HttpExchange.get(this.running.port(), "/half/x");
		}
		Awaitility.await().untilAsserted(() -> assertThat(meter("half", "SENT") - before).isBetween(20.0, 80.0));
		assertThat(meter("none", "SENT") + meter("none", "FAILED") + meter("none", "DROPPED")).isZero();
	}

	@Test
	void aRequestThatIsSentAgainIsMirroredOnce() throws Exception {
		double before = meter("two", "SENT");
		this.service.answer((out) -> {
			throw new RawUpstream.Reset();
		});
		assertThat(HttpExchange.get(this.running.port(), "/two/x").status()).isEqualTo(502);
		assertThat(this.service.pendingRequests()).isEqualTo(2);
		awaitMeter("two", "SENT", before + 1);
		assertThat(this.mirror.pendingRequests()).isOne();
	}

	@Test
	void noMoreThanSomeWaitForTheMirror() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.mirror.answer((out) -> {
			RawUpstream.await(end);
			throw new IOException("closed");
		});
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			socket.setSoTimeout(20_000);
			InputStream in = new BufferedInputStream(socket.getInputStream());
			for (int i = 0; i < 300; i++) {
				socket.getOutputStream()
					.write("GET /many/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				assertThat(Message.read(in, false, () -> {
				}).status()).isEqualTo(200);
			}
		}
		assertThat(meter("many", "DROPPED")).isEqualTo(300 - 256);
		end.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(meter("many", "FAILED")).isEqualTo(256));
	}

	private Message post(String rest) throws IOException {
		return HttpExchange.send(this.running.port(),
				"POST /all/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n" + rest);
	}

	private void awaitMeter(String upstream, String outcome, double value) {
		Awaitility.await().untilAsserted(() -> assertThat(meter(upstream, outcome)).isEqualTo(value));
	}

	private double meter(String upstream, String outcome) {
		return this.running.context()
			.getBean(MeterRegistry.class)
			.get("gateway.bench.upstream.mirrored")
			.tags("upstream", upstream, "outcome", outcome)
			.functionCounter()
			.count();
	}

}
