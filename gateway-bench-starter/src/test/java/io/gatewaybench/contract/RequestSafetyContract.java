package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What two readers of a request could understand differently does not arrive: its end,
 * its target, its path. The same on both flavours, as RFC 9110 and 9112 say.
 */
class RequestSafetyContract extends SingleRouteContract {

	private static final String SECOND = "GET /service/second HTTP/1.1\r\nHost: gateway\r\n\r\n";

	RequestSafetyContract(Gateway gateway) {
		super(gateway, "gateway-bench.headers.enabled=false", "gateway-bench.body-rewrite.enabled=false",
				"gateway-bench.load-balancing.ejection.consecutive-failures=1");
	}

	@BeforeEach
	void startOver() throws IOException {
		upstream().startOver();
	}

	/**
	 * Without {@code chunked} at the end, it is 400 by section 6.3 of RFC 9112, and 501
	 * by section 6.1, to which Tomcat holds.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '>',
			value = { "1.1|Transfer-Encoding: chunked, xchunked > 400",
					"1.1|Transfer-Encoding: chunked|Transfer-Encoding: xchunked > 400",
					"1.1|Transfer-Encoding: chunked|transfer-encoding: xchunked > 400",
					"1.1|Transfer-Encoding: xchunked, chunked > 501",
					"1.1|Transfer-Encoding: xchunked|Transfer-Encoding: chunked > 501",
					"1.1|Transfer-Encoding: gzip, chunked > 501", "1.1|Transfer-Encoding: foo > 400|501",
					"1.1|Transfer-Encoding: identity > 400|501", "1.1|Transfer-Encoding: chunked, identity > 400",
					"1.1|Transfer-Encoding: chunked|  xchunked > 400", "1.1|Transfer-Encoding: chunked, chunked > 400",
					"1.1|Transfer-Encoding: chunked|Transfer-Encoding: chunked > 400",
					"1.1|Transfer-Encoding: chunked;a=b > 400", "1.1|Transfer-Encoding: \"chunked\" > 400",
					"1.1|Transfer-Encoding: > 400", "1.1|Transfer-Encoding : chunked > 400",
					"1.1|Transfer-Encoding: chunked|Content-Length: 5 > 400",
					"1.1|Content-Length: 5|Transfer-Encoding: chunked > 400",
					"1.1|content-LENGTH: 5|X-A: 1|TRANSFER-encoding: chunked > 400",
					"1.1|Content-Length: 5|Transfer-Encoding: foo > 400|501", "1.0|Transfer-Encoding: chunked > 400",
					"1.0|Transfer-Encoding: chunked|Connection: keep-alive > 400", "1.1|Content-Length: +5 > 400",
					"1.1|Content-Length: 5, 5 > 400", "1.1|Content-Length: 5|Content-Length: 5 > 400",
					"1.1|Content-Length: 5|Content-Length: 6 > 400", "1.1|Content-Length: -5 > 400",
					"1.1|Content-Length: 0x5 > 400", "1.1|Content-Length: > 400", "1.1|Content-Length : 5 > 400",
					"1.1|Content-Length: 99999999999999999999 > 400" })
	void aRequestOfUncertainLengthDoesNotArriveAndIsTheLastOfItsConnection(String head, String status)
			throws Exception {
		String[] lines = head.split("\\|", 2);
		String responses = sendAll("POST /service/x HTTP/%s\r\nHost: gateway\r\n%s\r\n\r\n0\r\n\r\n%s"
			.formatted(lines[0], lines[1].replace("|", "\r\n"), SECOND));
		assertThat(responses).matches("(?s)HTTP/1\\.1 (?:%s) .*".formatted(status)).containsOnlyOnce("HTTP/1.");
		assertThat(upstream().pendingRequests()).isZero();
	}

	/**
	 * To count the bytes of a head again must not find a length where there is none.
	 */
	@Test
	void chunksBesideWordsAboutALengthArrive() throws Exception {
		String chunks = "POST /service/x?Content-Length:5 HTTP/1.1\r\nHost: gateway\r\n"
				+ "X-Content-Length: 5\r\nX-A: Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Lengths: 5\r\n"
				+ "\r\n13\r\nContent-Length: 5\r\n\r\n0\r\n\r\n";
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
			client.setSoTimeout(20_000);
			for (int i = 0; i < 3; i++) {
				client.getOutputStream().write(chunks.getBytes(StandardCharsets.US_ASCII));
				Message response = Message.read(client.getInputStream(), false, () -> {
				});
				assertThat(response.status()).isEqualTo(204);
				assertThat(upstream().request().text()).isEqualTo("Content-Length: 5\r\n");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "CONNECT, /service/x, 501", "CONNECT, gateway:80, 501", "CONNECT, http://gateway/service/x, 501",
			"connect, /service/x, 501", "TRACE, /service/x, 405", "trace, /service/x, 405" })
	void aMethodThatIsNotForAGatewayOfThisKindDoesNotArriveAndHarmsNoInstance(String method, String target, int status)
			throws Exception {
		for (int i = 0; i < 3; i++) {
			Message response = HttpExchange.send(port(),
					"%s %s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n".formatted(method, target));
			assertThat(response.status()).isEqualTo(status);
		}
		assertThat(upstream().pendingRequests()).isZero();
		assertThat(HttpExchange.get(port(), "/service/x").status()).isEqualTo(204);
	}

	@Test
	void aQuestionAboutTheServerIsAnsweredHere() throws Exception {
		assertThat(status("OPTIONS * HTTP/1.1|Host: gateway")).isEqualTo(200);
		assertThat(upstream().pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET * HTTP/1.1|Host: gateway", "GET service/x HTTP/1.1|Host: gateway",
			"GET gateway:80 HTTP/1.1|Host: gateway", "GET http://other/service/x HTTP/1.1|Host: gateway",
			"GET ftp://gateway/service/x HTTP/1.1|Host: gateway", "GET http:///service/x HTTP/1.1|Host: gateway",
			"GET /service/x HTTP/1.1", "GET /service/x HTTP/1.1|Host: gateway|Host: gateway",
			"GET /service/x HTTP/1.1|Host: a|host: b", "GET /service/x HTTP/1.1|Host: a b",
			"GET /service/x HTTP/1.1|Host: a/b", "GET /service/x HTTP/1.1|Host: u@a",
			"GET /service/x HTTP/1.1|Host: a:b", "GET /service/x y HTTP/1.1|Host: gateway",
			"GET /service/x HTTP/1.1|Host: gateway|X y: 1", "GET /service/x HTTP/1.1|Host: gateway|X-A: 1\u00002",
			"G@T /service/x HTTP/1.1|Host: gateway" })
	void aHeadThatNamesNoCertainTargetDoesNotArrive(String head) throws Exception {
		assertThat(status(head)).isEqualTo(400);
		assertThat(upstream().pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET http://gateway/service/x HTTP/1.1|Host: gateway",
			"GET http://gateway:80/service/x HTTP/1.1|Host: gateway:80", "GET /service/x HTTP/1.1|Host: a.b:8080",
			"GET /service/x HTTP/1.1|Host: [::1]:80", "GET /service/x HTTP/1.1|Host: 127.0.0.1",
			"GET /service/x HTTP/1.1|Host:", "GET /service/x HTTP/1.0" })
	void otherFormsOfATargetArrive(String head) throws Exception {
		assertThat(status(head)).isEqualTo(204);
		assertThat(upstream().request().startLine()).isEqualTo("GET /x HTTP/1.1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/../admin", "/..;/admin", "/..;a=b/admin", "/%2e%2e/admin", "/.%2e/admin", "/%2E./admin",
			"/..%3b/admin", "/..%3B/admin", "/..%5cadmin", "/%5c../admin", "/..%2fadmin", "/%2f../admin",
			"/%252e%252e/admin", "/..%252fadmin", "/..%255cadmin", "/%25252e%25252e/admin", "/%25%32%65%25%32%65/admin",
			"/..%253b/admin", "/a/../../admin", "/./../admin", "//../admin", "/;/../admin", "/%2e/../admin",
			"/a//../../x", "/..", "/..;", "/%2e%2e", "/../service/x", "/a/..%2f../admin", "/a/../..", "/..?q",
			"/..\\admin" })
	void aPathThatLeavesTheOneOfItsRouteDoesNotArrive(String path) throws Exception {
		assertThat(HttpExchange.get(port(), "/service" + path).status()).isEqualTo(400);
		assertThat(upstream().pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a%2Fb", "/a%5Cb", "/a\\b", "/a%00b", "/a\u00e9", "/a%E9", "/%c0%ae%c0%ae/admin", "/a#b",
			"/a?q=\u00e9", "/a|b", "/a{b}", "/a%", "/a%2", "/a%zz", "/a?q=%zz", "/a?q={}", "/a\u007fb" })
	void aPathThatUpstreamsReadInDifferentWaysDoesNotArrive(String path) throws Exception {
		assertThat(HttpExchange.get(port(), "/service" + path).status()).isEqualTo(400);
		assertThat(upstream().pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/../x", "/./x", "/.", "/...", "/..a", "/a..", "/a/..;b/x", "//x", "/x//y", "/a;b=c/x",
			"/a%3bb", "/a%20b", "/caf%C3%A9", "/a/%2e%2e/x", "/a%252fb", "/a?q=/../../x", "/a?q=%00%2f", "/a?q=[1]",
			"/%3f", "/%25" })
	void anyOtherPathArrivesAsSent(String path) throws Exception {
		assertThat(HttpExchange.get(port(), "/service" + path).status()).isEqualTo(204);
		assertThat(upstream().request().target()).isEqualTo(path);
	}

	@ParameterizedTest
	@CsvSource({ "7000, 0, 1, 204", "9000, 0, 1, 414", "12000, 0, 1, 414", "1, 7000, 1, 204", "1, 9000, 1, 431",
			"1, 12000, 1, 431", "1, 10, 120, 204", "1, 100, 100, 431", "7000, 7000, 1, 204" })
	void aHeadHasTheSameLimits(int path, int value, int headers, int status) throws Exception {
		Message response = HttpExchange.send(port(),
				"GET /service/%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n%s\r\n".formatted("x".repeat(path),
						"X-Large: %s\r\n".formatted("x".repeat(value)).repeat(headers)));
		assertThat(response.status()).isEqualTo(status);
		assertThat(upstream().pendingRequests()).isEqualTo((status == 204) ? 1 : 0);
	}

	/**
	 * Methods are case-sensitive (RFC 9110, section 9.1).
	 */
	@Test
	void aMethodInSmallLettersIsAnotherOneAndNotSentAgain() throws Exception {
		try (RunningGateway running = gateway().startWithRoute(List.of(upstream().url()))) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(204);
			AtomicInteger arrived = new AtomicInteger();
			upstream().answer((out) -> {
				arrived.incrementAndGet();
				throw new IOException("Closed by the test");
			});
			Message response = HttpExchange.send(running.port(),
					"get /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
			assertThat(response.status()).isEqualTo(502);
			assertThat(arrived).hasValue(1);
		}
	}

	@Test
	void pathsPassAsSentWhereThatIsWanted() throws Exception {
		try (RunningGateway running = gateway().startWithRoute(List.of(upstream().url()),
				"gateway-bench.unclear-paths=pass")) {
			for (String path : List.of("/../admin", "/..;/admin", "/%2e%2e/admin", "/a%2Fb", "/a%5Cb", "/..%2fadmin")) {
				assertThat(HttpExchange.get(running.port(), "/service" + path).status()).as(path).isEqualTo(204);
				assertThat(upstream().request().target()).isEqualTo(path);
			}
			for (String path : List.of("/a%00b", "/a%E9", "/a#b", "/a\u00e9")) {
				assertThat(HttpExchange.get(running.port(), "/service" + path).status()).as(path).isEqualTo(400);
			}
		}
	}

	@Test
	void eachLimitOfAHeadIsASetting() throws Exception {
		String response = (gateway().flavour() == Flavour.WEBFLUX)
				? gateway().nativePrefix() + ".httpclient.max-header-size"
				: "server.tomcat.max-http-response-header-size";
		try (RunningGateway running = gateway().startWithRoute(List.of(upstream().url()),
				"server.max-http-request-header-size=16KB", response + "=16KB")) {
			assertThat(status(running.port(), 15_000, 1)).isEqualTo(204);
			assertThat(status(running.port(), 17_000, 1)).isEqualTo(414);
			assertThat(status(running.port(), 1, 15_000)).isEqualTo(204);
			assertThat(status(running.port(), 1, 17_000)).isEqualTo(431);
			for (int size : new int[] { 7_000, 15_000, 17_000 }) {
				upstream().answer("HTTP/1.1 204 No Content\r\nX-Large: %s\r\n\r\n".formatted("x".repeat(size)));
				assertThat(status(running.port(), 1, 1)).isEqualTo((size < 16_000) ? 204 : 502);
			}
		}
	}

	@Test
	void aRouteMayBeginWithSeveralSegmentsOrVariables() throws Exception {
		List<String> properties = gateway().nativeRoute(0, "the-native-route", "/{tenant}/public/**", "rr://service",
				List.of("AddGatewayHeaders"));
		try (RunningGateway running = gateway().startWithRoute(List.of(upstream().url()),
				properties.toArray(String[]::new))) {
			for (String path : List.of("/a/public/../x", "/a/public/b/../../x", "/a/public/%2e%2e/%2e%2e/x")) {
				assertThat(HttpExchange.get(running.port(), path).status()).as(path).isEqualTo(400);
			}
			assertThat(HttpExchange.get(running.port(), "/a/public/b/../x").status()).isEqualTo(204);
			assertThat(upstream().request().target()).isEqualTo("/a/public/b/../x");
		}
	}

	private static int status(int port, int path, int value) throws IOException {
		return HttpExchange
			.send(port,
					"GET /service/%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nX-Large: %s\r\n\r\n"
						.formatted("x".repeat(path), "x".repeat(value)))
			.status();
	}

	private int status(String head) throws IOException {
		return HttpExchange.send(port(), head.replace("|", "\r\n") + "\r\nConnection: close\r\n\r\n").status();
	}

	/**
	 * Send bytes, and read all that comes until the gateway closes the connection.
	 */
	private String sendAll(String bytes) throws IOException {
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
			client.setSoTimeout(20_000);
			client.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
			client.getOutputStream().flush();
			return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

}
