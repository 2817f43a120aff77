package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManagerFactory;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.Http2Connection.Data;
import io.gatewaybench.contract.Http2Connection.Event;
import io.gatewaybench.contract.Http2Connection.Headers;
import io.gatewaybench.contract.Http2Connection.Reset;
import io.gatewaybench.contract.HttpExchange.Message;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Upstreams that speak HTTP/2, and gRPC with them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2UpstreamContract {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String NOT_PROCESSED = "{\"title\":\"Service Unavailable\",\"status\":503,"
			+ "\"detail\":\"The upstream did not take the request.\"}";

	private static final String DEADLINE = "{\"title\":\"Gateway Timeout\",\"status\":504,"
			+ "\"detail\":\"The upstream did not answer before the deadline of the client.\"}";

	private final Gateway gateway;

	private final Http2Upstream upstream = new Http2Upstream();

	/** Takes requests in small pieces. */
	private final Http2Upstream narrow = new Http2Upstream(null, new Http2Settings().initialWindowSize(1_000));

	private final List<Http2Upstream> secured = new ArrayList<>();

	private WebSocketUpstream sessions;

	private RunningGateway running;

	Http2UpstreamContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start(@TempDir Path directory) throws Exception {
		Path certificate = TlsContract.certificate(directory, "ip:127.0.0.1");
		List<String> properties = new ArrayList<>(
				List.of("server.http2.enabled=true", "gateway-bench.load-balancing.ejection.consecutive-failures=1000",
						"spring.ssl.bundle.jks.trusting.truststore.location=file:" + certificate,
						"spring.ssl.bundle.jks.trusting.truststore.password=" + TlsContract.PASSWORD,
						"spring.ssl.bundle.jks.trusting.truststore.type=PKCS12"));
		this.sessions = new WebSocketUpstream();
		addRoute(properties, 0, "service", this.upstream);
		addRoute(properties, 1, "narrow", this.narrow);
		addRoute(properties, 2, "secured", secured(certificate, ApplicationProtocolNames.HTTP_2));
		addRoute(properties, 3, "old", secured(certificate, ApplicationProtocolNames.HTTP_1_1));
		addRoute(properties, 4, "impatient", this.upstream);
		addRoute(properties, 5, "sessions", this.sessions.url());
		properties.add("gateway-bench.upstreams.impatient.timeouts.response=1s");
		properties.add("gateway-bench.upstreams.impatient.timeouts.read=1s");
		properties.add("gateway-bench.upstreams.secured.ssl.bundle=trusting");
		properties.add("gateway-bench.upstreams.old.ssl.bundle=trusting");
		this.running = this.gateway.start(properties.toArray(String[]::new));
	}

	private static void addRoute(List<String> properties, int index, String name, Http2Upstream upstream) {
		addRoute(properties, index, name, upstream.url());
	}

	private static void addRoute(List<String> properties, int index, String name, String url) {
		properties.addAll(Gateway.route(index, name + "-route", name, List.of(url)));
		properties.add("gateway-bench.upstreams." + name + ".protocol=http2");
	}

	private Http2Upstream secured(Path certificate, String protocol) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(certificate)) {
			store.load(in, TlsContract.PASSWORD.toCharArray());
		}
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store, TlsContract.PASSWORD.toCharArray());
		SslContext tls = SslContextBuilder.forServer(keys)
			.applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
					SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocol))
			.build();
		Http2Upstream upstream = new Http2Upstream(tls, Http2Settings.defaultSettings());
		this.secured.add(upstream);
		return upstream;
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.sessions.close();
		this.upstream.close();
		this.narrow.close();
		this.secured.forEach(Http2Upstream::close);
	}

	/**
	 * The gateway may not have noticed yet that its connection is closed.
	 */
	@BeforeEach
	void startOver() {
		this.upstream.startOver();
		this.upstream.answer((stream) -> stream.head(true, ":status", "204"));
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(get("/service/x").status()).isEqualTo(204));
		this.upstream.forgetStreams();
	}

	@Test
	void webSocketsGoOverHttp1() throws Exception {
		try (WebSocketPeer client = WebSocketPeer.client(this.running.port(), "/sessions/x")) {
			WebSocketContract.assertEchoes(client);
		}
		Message handshake = this.sessions.handshake();
		assertThat(handshake.startLine()).isEqualTo("GET /x HTTP/1.1");
		assertThat(handshake.headers("Content-Length")).isEmpty();
	}

	@Test
	void aRequestAndItsResponsePass() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/plain", "x-a", "1", "x-a", "2");
			stream.data("answer to " + stream.readAll(), true);
		});
		for (String framing : List.of("Content-Length: 5\r\n\r\nhello",
				"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")) {
			Message response = HttpExchange.send(this.running.port(),
					"POST /service/x?q=%7e HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nX-B: 3\r\n" + framing);
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).isEqualTo("answer to hello");
			assertThat(response.headers("x-a")).containsExactly("1", "2");
			// Netty's, which no upstream has sent
			assertThat(response.header("x-http2-stream-id")).isNull();
			Http2Upstream.Stream request = this.upstream.next();
			assertThat(request.header(":method")).isEqualTo("POST");
			assertThat(request.header(":path")).isEqualTo("/x?q=%7e");
			assertThat(request.header(":scheme")).isEqualTo("http");
			assertThat(request.header(":authority")).isEqualTo(this.upstream.url().substring("http://".length()));
			assertThat(request.header("x-b")).isEqualTo("3");
			assertThat(request.header("te")).isNull();
			assertThat(request.header("transfer-encoding")).isNull();
			assertThat(request.header("connection")).isNull();
			assertThat(request.header("host")).isNull();
		}
		assertThat(this.upstream.acceptedConnections()).isEqualTo(1);
	}

	@Test
	void aBodyIsRewritten() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/json");
			stream.data("{\"a\":1}", true);
		});
		assertThat(get("/service/x").text()).startsWith("{\"a\":1,\"_gateway\":");
	}

	@Test
	void aResponseMayHaveNoBody() throws Exception {
		this.upstream.answer((stream) -> stream.head(true, ":status", "204"));
		assertThat(get("/service/x").status()).isEqualTo(204);
		this.upstream.answer((stream) -> stream.head(true, ":status", "200", "content-length", "7"));
		Message head = HttpExchange.send(this.running.port(),
				"HEAD /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
		assertThat(head.headers("content-length")).containsExactly("7");
	}

	@Test
	void interimResponsesAreLeftOut() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "103", "link", "</a>");
			stream.head(false, ":status", "100");
			stream.head(false, ":status", "200", "content-type", "text/plain");
			stream.data("ok", true);
		});
		Message response = get("/service/x");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.header("link")).isNull();
		assertThat(response.text()).isEqualTo("ok");
		this.upstream.answer((stream) -> {
			while (true) {
				stream.head(false, ":status", "102");
			}
		});
		Problems.assertProblem(get("/service/x"), 502, Problems.BROKEN);
	}

	@Test
	void withHttpsTheHandshakeAgreesOnIt() throws Exception {
		Http2Upstream tls = this.secured.get(0);
		tls.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/plain");
			stream.data("safe", true);
		});
		for (int i = 0; i < 3; i++) {
			assertThat(get("/secured/x").text()).isEqualTo("safe");
			assertThat(tls.next().header(":scheme")).isEqualTo("https");
		}
		assertThat(tls.acceptedConnections()).isEqualTo(1);
	}

	@Test
	void anUpstreamThatDoesNotAgreeIsABadGateway() throws Exception {
		assertThat(get("/old/x").status()).isEqualTo(502);
		assertThat(this.secured.get(1).pendingStreams()).isZero();
	}

	/**
	 * More than all windows hold, in both directions at once.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "service", "narrow" })
	void aLargeBodyComesBackWhileItIsSent(String name) throws Exception {
		int length = name.equals("narrow") ? 300_000 : 20_000_000;
		(name.equals("narrow") ? this.narrow : this.upstream).answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/octet-stream");
			for (byte[] piece = stream.read(); piece != null; piece = stream.read()) {
				stream.data(piece, false);
			}
			stream.data("", true);
		});
		try (Socket client = connect()) {
			Thread sending = new Thread(() -> upload(client, name, length));
			sending.start();
			Message response = Message.read(client.getInputStream(), false, () -> {
			});
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.body()).hasSize(length);
			sending.join();
		}
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	private static void upload(Socket client, String name, int length) {
		try {
			OutputStream out = client.getOutputStream();
			out.write("POST /%s/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\n".formatted(name, length)
				.getBytes(StandardCharsets.US_ASCII));
			byte[] piece = new byte[10_000];
			for (int sent = 0; sent < length; sent += piece.length) {
				out.write(piece);
			}
		}
		catch (IOException ex) {
			// The response tells
		}
	}

	/**
	 * All share a connection to the upstream.
	 */
	@Test
	void aClientThatDoesNotReadStopsNoOther() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/octet-stream");
			stream.data(new byte[stream.header(":path").equals("/slow") ? 50_000_000 : 500_000], true);
		});
		List<Socket> slow = new ArrayList<>();
		try {
			for (int i = 0; i < 3; i++) {
				Socket client = connect();
				slow.add(client);
				client.getOutputStream()
					.write("GET /service/slow HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				this.upstream.next();
			}
			for (int i = 0; i < 5; i++) {
				assertThat(get("/service/fast").body()).hasSize(500_000);
			}
		}
		finally {
			for (Socket client : slow) {
				client.close();
			}
		}
	}

	@Test
	void aStreamThatIsResetInTheMiddleIsABrokenResponse() throws Exception {
		for (boolean counted : new boolean[] { false, true }) {
			this.upstream.answer((stream) -> {
				if (counted) {
					stream.head(false, ":status", "200", "content-type", "text/plain", "content-length", "200000");
				}
				else {
					stream.head(false, ":status", "200", "content-type", "text/plain");
				}
				stream.data(new byte[100_000], false);
				stream.reset(Http2Error.INTERNAL_ERROR);
			});
			assertThatExceptionOfType(EOFException.class).isThrownBy(() -> get("/service/x"));
		}
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/plain");
			stream.data(new byte[100_000], false);
			stream.closeConnection();
		});
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> get("/service/x"));
	}

	@Test
	void aBodyOfAnotherLengthThanToldIsABrokenResponse() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/plain", "content-length", "200000");
			stream.data(new byte[100_000], true);
		});
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> get("/service/x"));
	}

	@Test
	void aStreamThatIsResetBeforeTheResponseIsABadGateway() throws Exception {
		this.upstream.answer((stream) -> stream.reset(Http2Error.INTERNAL_ERROR));
		Problems.assertProblem(get("/service/x"), 502, Problems.BROKEN);
		this.upstream.answer(Http2Upstream.Stream::closeConnection);
		Problems.assertProblem(get("/service/x"), 502, Problems.BROKEN);
		this.upstream.answer((stream) -> stream.head(true, ":status", "204"));
		assertThat(get("/service/x").status()).isEqualTo(204);
	}

	@ParameterizedTest
	@EnumSource(Refusal.class)
	void whatNothingWasDoneWithIsSentAgain(Refusal refusal) throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		double before = this.running.upstreamEvents("retries");
		this.upstream.answer((stream) -> {
			if (attempts.incrementAndGet() == 1) {
				refusal.refuse(stream);
			}
			else {
				stream.head(true, ":status", "204");
			}
		});
		// Not idempotent, but nothing was done
		Message response = HttpExchange.send(this.running.port(),
				"POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
		assertThat(response.status()).isEqualTo(204);
		assertThat(attempts).hasValue(2);
		assertThat(this.running.upstreamEvents("retries")).isEqualTo(before + 1);
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	@ParameterizedTest
	@EnumSource(Refusal.class)
	void whatIsRefusedAgainIsUnavailable(Refusal refusal) throws Exception {
		this.upstream.answer(refusal::refuse);
		Problems.assertProblem(get("/service/x"), 503, NOT_PROCESSED);
		this.upstream.next();
		this.upstream.next();
		assertThat(this.upstream.pendingStreams()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Refusal.class)
	void aRequestWhoseBodyWasReadIsNotSentAgain(Refusal refusal) throws Exception {
		this.upstream.answer((stream) -> {
			stream.readAll();
			refusal.refuse(stream);
		});
		Message response = HttpExchange.send(this.running.port(),
				"POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab");
		Problems.assertProblem(response, 503, NOT_PROCESSED);
		this.upstream.next();
		assertThat(this.upstream.pendingStreams()).isZero();
	}

	/**
	 * It answers what it has begun with.
	 */
	@Test
	void aConnectionThatIsAboutToCloseIsLeftAlone() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		this.upstream.answer((stream) -> {
			if (stream.header(":path").equals("/long")) {
				stream.head(false, ":status", "200", "content-type", "text/plain");
				stream.data("begun ", false);
				RawUpstream.await(told);
				stream.data("and ended", true);
			}
			else {
				Refusal.GO_AWAY.refuse(stream);
				stream.awaitReset();
			}
		});
		try (Socket client = connect()) {
			client.getOutputStream()
				.write("GET /service/long HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			this.upstream.next();
			Problems.assertProblem(get("/service/x"), 503, NOT_PROCESSED);
			assertThat(this.upstream.acceptedConnections()).isEqualTo(2);
			told.countDown();
			assertThat(Message.read(client.getInputStream(), false, () -> {
			}).text()).isEqualTo("begun and ended");
		}
	}

	@Test
	void anUpstreamThatIsSilentIsATimeout() throws Exception {
		this.upstream.answer((stream) -> stream.awaitReset());
		Problems.assertProblem(get("/impatient/x"), 504, Problems.RESPONSE_TIMEOUT);
		assertThat(this.upstream.next().awaitReset()).isEqualTo(Http2Error.CANCEL.code());
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/plain");
			stream.data(new byte[100_000], false);
			stream.awaitReset();
		});
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> get("/impatient/x"));
		assertThat(this.upstream.next().awaitReset()).isEqualTo(Http2Error.CANCEL.code());
		// The connection goes on
		this.upstream.answer((stream) -> stream.head(true, ":status", "204"));
		assertThat(get("/impatient/x").status()).isEqualTo(204);
		assertThat(this.upstream.acceptedConnections()).isEqualTo(1);
	}

	@Test
	void aClientThatLeavesCancelsTheStream() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "text/event-stream");
			begun.countDown();
			while (true) {
				stream.data("data: 1\n\n", false);
				TimeUnit.MILLISECONDS.sleep(20);
			}
		});
		try (Socket client = connect()) {
			client.getOutputStream()
				.write("GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(client.getInputStream().read()).isEqualTo('H');
		}
		assertThat(this.upstream.next().awaitReset()).isEqualTo(Http2Error.CANCEL.code());
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	@Test
	void anUploadThatBreaksOffIsBrokenAtTheUpstream() throws Exception {
		this.upstream.answer((stream) -> stream.awaitReset());
		try (Socket client = connect()) {
			client.getOutputStream()
				.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 100000\r\n\r\nabc"
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(this.upstream.next().read(), StandardCharsets.US_ASCII)).isEqualTo("abc");
			client.setSoLinger(true, 0);
		}
	}

	@Test
	void anUpstreamMayAnswerBeforeItHasTheRequest() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "403", "content-type", "text/plain");
			stream.data("no", true);
			stream.reset(Http2Error.NO_ERROR);
		});
		try (Socket client = connect()) {
			client.getOutputStream()
				.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			Message response = Message.read(client.getInputStream(), false, () -> {
			});
			assertThat(response.status()).isEqualTo(403);
			assertThat(response.text()).isEqualTo("no");
		}
	}

	@Test
	void aCallOfGrpcPassesWithItsTrailers() throws Exception {
		this.upstream.answer((stream) -> {
			byte[] message = stream.read();
			while (stream.read() != null) {
				// Until the end
			}
			stream.head(false, ":status", "200", "content-type", "application/grpc+proto");
			stream.data(message, false);
			stream.head(true, "grpc-status", "0", "grpc-message", "fine", "x-checksum-bin", "AAEC");
		});
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Once"), false);
			call.data(message("hello"), true);
			Headers head = (Headers) event(call);
			assertThat(head.status()).isEqualTo(200);
			assertThat(value(head, "content-type")).isEqualTo("application/grpc+proto");
			assertThat(readMessage(call)).isEqualTo("hello");
			Headers trailers = trailers(call);
			assertThat(value(trailers, "grpc-status")).isEqualTo("0");
			assertThat(value(trailers, "grpc-message")).isEqualTo("fine");
			assertThat(value(trailers, "x-checksum-bin")).isEqualTo("AAEC");
		}
		Http2Upstream.Stream request = this.upstream.next();
		assertThat(request.header(":path")).isEqualTo("/Echo/Once");
		assertThat(request.header("te")).isEqualTo("trailers");
		assertThat(request.header("content-type")).isEqualTo("application/grpc+proto");
		assertThat(request.header("x-call")).isEqualTo("1");
	}

	@Test
	void aCallOfGrpcMayFailWithoutABody() throws Exception {
		this.upstream.answer((stream) -> stream.head(true, ":status", "200", "content-type", "application/grpc",
				"grpc-status", "5", "grpc-message", "none"));
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Once"), false);
			call.data(message("hello"), true);
			Event last = event(call);
			while (!last.end()) {
				last = event(call);
			}
			assertThat(value((Headers) last, "grpc-status")).isEqualTo("5");
			assertThat(value((Headers) last, "grpc-message")).isEqualTo("none");
		}
	}

	@Test
	void aCallOfGrpcGoesInBothDirectionsAtOnce() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/grpc");
			for (byte[] piece = stream.read(); piece != null; piece = stream.read()) {
				stream.data(piece, false);
			}
			stream.head(true, "grpc-status", "0");
		});
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Chat"), false);
			for (int i = 0; i < 20; i++) {
				call.data(message("message " + i), false);
				if (i == 0) {
					assertThat(((Headers) event(call)).status()).isEqualTo(200);
				}
				assertThat(readMessage(call)).isEqualTo("message " + i);
			}
			call.data(new byte[0], true);
			assertThat(value(trailers(call), "grpc-status")).isEqualTo("0");
		}
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	/**
	 * A message of JSON has a length in front, so it is none.
	 */
	@Test
	void aMessageOfGrpcIsNotRewritten() throws Exception {
		this.upstream.answer((stream) -> {
			stream.readAll();
			stream.head(false, ":status", "200", "content-type", "application/grpc+json");
			stream.data(message("{\"a\":1}"), false);
			stream.head(true, "grpc-status", "0");
		});
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Once"), false);
			call.data(message("{}"), true);
			event(call);
			assertThat(readMessage(call)).isEqualTo("{\"a\":1}");
			assertThat(value(trailers(call), "grpc-status")).isEqualTo("0");
		}
	}

	@Test
	void theDeadlineOfACallEndsTheWait() throws Exception {
		this.upstream.answer((stream) -> stream.awaitReset());
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Once", Map.entry("grpc-timeout", "100m")),
					false);
			call.data(message("hello"), true);
			assertThat(((Headers) event(call)).status()).isEqualTo(504);
			assertThat(new String(((Data) event(call)).content(), StandardCharsets.US_ASCII)).isEqualTo(DEADLINE);
		}
		Http2Upstream.Stream request = this.upstream.next();
		assertThat(request.header("grpc-timeout")).isEqualTo("100m");
		assertThat(request.awaitReset()).isEqualTo(Http2Error.CANCEL.code());
	}

	/**
	 * One client could do without all instances then.
	 */
	@Test
	void theDeadlineOfACallIsNoFaultOfTheInstance() throws Exception {
		try (RunningGateway strict = this.gateway.startWithRoute(List.of(this.upstream.url(), this.narrow.url()),
				"gateway-bench.upstreams.service.protocol=http2",
				"gateway-bench.load-balancing.ejection.consecutive-failures=1")) {
			this.upstream.answer((stream) -> stream.awaitReset());
			this.narrow.answer((stream) -> stream.awaitReset());
			for (int i = 0; i < 4; i++) {
				Problems.assertProblem(HttpExchange.send(strict.port(),
						"GET /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\ngrpc-timeout: 50m\r\n\r\n"),
						504, DEADLINE);
			}
			assertThat(strict.upstreamEvents("ejections")).isZero();
			assertThat(strict.upstreamEvents("retries")).isZero();
			this.upstream.answer((stream) -> stream.reset(Http2Error.INTERNAL_ERROR));
			this.narrow.answer((stream) -> stream.head(true, ":status", "204"));
			Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
				assertThat(HttpExchange.get(strict.port(), "/service/x").status()).isEqualTo(204);
				assertThat(strict.upstreamEvents("ejections")).isEqualTo(1);
			});
		}
	}

	@Test
	void aClientThatCancelsItsCallCancelsTheStream() throws Exception {
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/grpc");
			stream.data(message("first"), false);
			stream.awaitReset();
		});
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Chat"), false);
			call.data(message("hello"), false);
			event(call);
			assertThat(readMessage(call)).isEqualTo("first");
			call.reset(Http2Connection.CANCEL);
			assertThat(this.upstream.next().awaitReset()).isEqualTo(Http2Error.CANCEL.code());
		}
	}

	@Test
	void aCallThatTheUpstreamBreaksOffIsBroken() throws Exception {
		CountDownLatch arrived = new CountDownLatch(1);
		this.upstream.answer((stream) -> {
			stream.head(false, ":status", "200", "content-type", "application/grpc");
			stream.data(message("first"), false);
			RawUpstream.await(arrived);
			stream.reset(Http2Error.INTERNAL_ERROR);
		});
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream call = client.open(grpc("/service/Echo/Chat"), false);
			call.data(message("hello"), true);
			event(call);
			assertThat(readMessage(call)).isEqualTo("first");
			arrived.countDown();
			assertThat(last(call)).isInstanceOf(Reset.class);
		}
	}

	private Message get(String target) throws IOException {
		return HttpExchange.get(this.running.port(), target);
	}

	private Socket connect() throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port());
		client.setSoTimeout((int) PATIENCE.toMillis());
		return client;
	}

	@SafeVarargs
	private static List<Map.Entry<String, String>> grpc(String path, Map.Entry<String, String>... others) {
		List<Map.Entry<String, String>> headers = new ArrayList<>(
				List.of(Map.entry(":method", "POST"), Map.entry(":scheme", "http"), Map.entry(":path", path),
						Map.entry(":authority", "gateway"), Map.entry("content-type", "application/grpc+proto"),
						Map.entry("te", "trailers"), Map.entry("x-call", "1")));
		headers.addAll(List.of(others));
		return headers;
	}

	/**
	 * A message has its length in front, and before that whether it is compressed.
	 */
	private static byte[] message(String text) {
		byte[] message = ("\0\0\0\0" + (char) text.length() + text).getBytes(StandardCharsets.ISO_8859_1);
		assertThat(text.length()).isLessThan(256);
		return message;
	}

	private static String readMessage(Http2Connection.Stream call) throws InterruptedException {
		StringBuilder read = new StringBuilder();
		while (read.length() < 5 || read.length() < 5 + read.charAt(4)) {
			read.append(new String(((Data) event(call)).content(), StandardCharsets.ISO_8859_1));
		}
		return read.substring(5);
	}

	private static Event event(Http2Connection.Stream call) throws InterruptedException {
		Event event = call.next(PATIENCE);
		assertThat(event).as("what the gateway sends next").isNotNull();
		return event;
	}

	/**
	 * What ends the response. An empty piece before it says nothing.
	 */
	private static Event last(Http2Connection.Stream call) throws InterruptedException {
		Event event = event(call);
		while (event instanceof Data data && data.content().length == 0 && !data.end()) {
			event = event(call);
		}
		assertThat(event.end()).isTrue();
		return event;
	}

	private static Headers trailers(Http2Connection.Stream call) throws InterruptedException {
		return (Headers) last(call);
	}

	private static String value(Headers headers, String name) {
		return headers.headers()
			.stream()
			.filter((header) -> header.getKey().equals(name))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	private enum Refusal {

		RESET {

			@Override
			void refuse(Http2Upstream.Stream stream) throws Exception {
				stream.reset(Http2Error.REFUSED_STREAM);
			}

		},

		GO_AWAY {

			@Override
			void refuse(Http2Upstream.Stream stream) {
				stream.refuseByGoAway();
			}

		};

		abstract void refuse(Http2Upstream.Stream stream) throws Exception;

	}

}
