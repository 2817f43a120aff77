package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients do with a connection that serves more than one request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientConnectionsContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	ClientConnectionsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), "server.http2.enabled=true");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	/**
	 * In order, whatever the last one says (RFC 9112, section 9.3.2).
	 */
	@ParameterizedTest
	@CsvSource({ "2, true", "2, false", "20, true", "20, false" })
	void requestsThatAreSentAtOnceAreAllAnswered(int count, boolean withBodies) throws Exception {
		AtomicInteger answered = new AtomicInteger();
		this.upstream.answer((out) -> out
			.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n%02d".formatted(answered.incrementAndGet())
				.getBytes(StandardCharsets.US_ASCII)));
		StringBuilder requests = new StringBuilder();
		for (int i = 1; i <= count; i++) {
			requests.append("POST /service/%d HTTP/1.1\r\nHost: gateway\r\n".formatted(i))
				.append((i == count) ? "Connection: close\r\n" : "")
				.append(withBodies ? "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
						: "Content-Length: 0\r\n\r\n");
		}
		try (Socket client = connect()) {
			write(client, requests.toString());
			InputStream in = client.getInputStream();
			for (int i = 1; i <= count; i++) {
				assertThat(read(in).text()).isEqualTo("%02d".formatted(i));
				Message request = this.upstream.requestOf("POST /%d ".formatted(i));
				assertThat(request.text()).isEqualTo(withBodies ? "hello" : "");
			}
			assertThat(in.read()).isNegative();
		}
	}

	@Test
	void aRequestBehindTheLastOneIsNotAnswered() throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		try (Socket client = connect()) {
			write(client, "GET /service/1 HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n"
					+ "GET /service/2 HTTP/1.1\r\nHost: gateway\r\n\r\n");
			assertThat(read(client.getInputStream()).text()).isEqualTo("ok");
			assertThat(client.getInputStream().read()).isNegative();
		}
		assertThat(this.upstream.requestOf("GET /1 ").target()).isEqualTo("/1");
		assertThat(this.upstream.pendingRequests()).isZero();
	}

	/**
	 * Also those that come while the first response is on its way.
	 */
	@Test
	void aRequestThatComesDuringTheResponseBeforeIsAnswered() throws Exception {
		CountDownLatch sent = new CountDownLatch(1);
		this.upstream.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(sent);
			out.write('k');
		});
		try (Socket client = connect()) {
			write(client, "GET /service/1 HTTP/1.1\r\nHost: gateway\r\n\r\n");
			InputStream in = client.getInputStream();
			Message first = Message.read(in, true, () -> {
			});
			assertThat(first.status()).isEqualTo(200);
			write(client, "GET /service/2 HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
			sent.countDown();
			assertThat(in.readNBytes(2)).asString().isEqualTo("ok");
			assertThat(read(in).text()).isEqualTo("ok");
			assertThat(in.read()).isNegative();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 9, 60 })
	void aRequestMayHaveManyTrailerFields(int count) throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		try (Socket client = connect()) {
			for (int i = 0; i < 3; i++) {
				write(client, withTrailers(count));
				assertThat(read(client.getInputStream()).status()).isEqualTo(200);
				assertThat(this.upstream.requestOf("POST /x ").text()).isEqualTo("hello");
			}
		}
	}

	@Test
	void tooManyTrailerFieldsAreNoFaultOfTheGateway() throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		try (Socket client = connect()) {
			write(client, withTrailers(1));
			assertThat(read(client.getInputStream()).status()).isEqualTo(200);
			write(client, withTrailers(500));
			assertThat(read(client.getInputStream()).status()).isLessThan(500);
		}
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	private static String withTrailers(int count) {
		return "POST /service/x HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
				+ IntStream.range(0, count).mapToObj("X-Trailer-%d: x\r\n"::formatted).collect(Collectors.joining())
				+ "\r\n";
	}

	/**
	 * As curl and the JDK's client send it.
	 */
	@ParameterizedTest
	@CsvSource({ "5, true", "5, false", "100000, true", "100000, false" })
	void aRequestWithABodyThatOffersHttp2IsAnsweredOverHttp1(int length, boolean chunked) throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		String body = "x".repeat(length);
		String framing = chunked ? "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
				: "Content-Length: %d\r\n\r\n%s";
		try (Socket client = connect()) {
			for (int i = 0; i < 2; i++) {
				write(client,
						"POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade, HTTP2-Settings\r\n"
								+ "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
								+ framing.formatted(length, body));
				Message response = read(client.getInputStream());
				assertThat(response.startLine()).startsWith("HTTP/1.1 200");
				assertThat(response.text()).isEqualTo("ok");
				Message request = this.upstream.requestOf("POST /x ");
				assertThat(request.text()).isEqualTo(body);
				assertThat(request.headers("Upgrade")).isEmpty();
				assertThat(request.headers("HTTP2-Settings")).isEmpty();
			}
		}
	}

	/**
	 * To no upstream, where it would come in the midst of the next test.
	 */
	@Test
	void aRequestWithoutABodyThatOffersHttp2GetsIt() throws Exception {
		try (Socket client = connect()) {
			write(client, "GET /unknown HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade, HTTP2-Settings\r\n"
					+ "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");
			assertThat(Message.read(client.getInputStream(), true, () -> {
			}).startLine()).startsWith("HTTP/1.1 101");
		}
	}

	@Test
	void aConnectionOfHttp2OutlivesManyStreamsThatAreCancelled() throws Exception {
		try (RunningGateway shared = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"server.http2.enabled=true"); Http2Connection client = new Http2Connection(shared.port())) {
			for (int i = 0; i < 600; i++) {
				client.open(request(), true).reset(Http2Connection.CANCEL);
			}
			Http2Connection.Stream last = client.open(request(), true);
			assertThat(last.next(Duration.ofSeconds(20))).isInstanceOfSatisfying(Http2Connection.Headers.class,
					(headers) -> assertThat(headers.status()).isEqualTo(204));
			assertThat(client.isOpen()).isTrue();
		}
	}

	@Test
	void aConnectionOfHttp2EndsWhenTooManyStreamsAreCancelled() throws Exception {
		try (RunningGateway limited = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"server.http2.enabled=true", "gateway-bench.server.max-cancelled-streams=50");
				Http2Connection client = new Http2Connection(limited.port())) {
			for (int i = 0; i < 2000 && client.isOpen(); i++) {
				try {
					client.open(request(), true).reset(Http2Connection.CANCEL);
				}
				catch (IOException ex) {
					// The gateway has closed the connection
					break;
				}
			}
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !client.isOpen());
		}
	}

	private static List<Map.Entry<String, String>> request() {
		return List.of(Map.entry(":method", "GET"), Map.entry(":scheme", "http"), Map.entry(":authority", "gateway"),
				Map.entry(":path", "/service/x"));
	}

	private Socket connect() throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port());
		client.setTcpNoDelay(true);
		client.setSoTimeout(20_000);
		return client;
	}

	private static void write(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	private static Message read(InputStream in) throws IOException {
		return Message.read(in, false, () -> {
		});
	}

}
