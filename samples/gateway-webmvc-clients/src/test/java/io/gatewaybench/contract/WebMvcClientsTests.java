package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.http.client.JettyClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contracts that depend on the client, with each client that there is for WebMVC. All
 * of them are on the class path here.
 */
class WebMvcClientsTests {

	private static final String NO_TRAILERS = "The client of JDK 17 takes a response with trailers for a broken one";

	private static Gateway with(String... properties) {
		return new Gateway(Application.class, Flavour.WEBMVC).with(properties);
	}

	@Nested
	class Apache extends HttpClientContract {

		Apache() {
			super(with("spring.http.clients.imperative.factory=http-components"));
		}

	}

	@Nested
	class ApacheOnVirtualThreads extends HttpClientContract {

		ApacheOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=http-components",
					"spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class ResponsesByApache extends ResponsesContract {

		ResponsesByApache() {
			super(with("spring.http.clients.imperative.factory=http-components"));
		}

	}

	@Nested
	class ResponsesByReactor extends ResponsesContract {

		ResponsesByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class TimeoutsByApache extends TimeoutsContract {

		TimeoutsByApache() {
			super(with("spring.http.clients.imperative.factory=http-components"));
		}

	}

	@Nested
	class TimeoutsByApacheOnVirtualThreads extends TimeoutsContract {

		TimeoutsByApacheOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=http-components",
					"spring.threads.virtual.enabled=true"));
		}

	}

	/**
	 * The starter sees to it in place of Apache's client.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aRouteWithoutAnUpstreamHasTheReadTimeoutOfTheClient(boolean virtualThreads) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = startWithReadTimeout(virtualThreads, upstream)) {
			upstream.answer((out) -> RawUpstream.await(end));
			Problems.assertProblem(HttpExchange.get(running.port(), "/service/x"), 504, Problems.RESPONSE_TIMEOUT);
			upstream.answer((out) -> {
				out.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				out.write(new byte[100_000]);
				RawUpstream.await(end);
			});
			assertThatExceptionOfType(EOFException.class)
				.isThrownBy(() -> HttpExchange.get(running.port(), "/service/x"));
			upstream.answer("HTTP/1.1 204 No Content\r\n\r\n");
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(204);
		}
		finally {
			end.countDown();
		}
	}

	/**
	 * A timeout of the sockets would not count the time either.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aClientThatPausesWhileItSendsIsNoFaultOfARouteWithoutAnUpstream(boolean virtualThreads) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = startWithReadTimeout(virtualThreads, upstream);
				Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
			client.setSoTimeout(20_000);
			OutputStream out = client.getOutputStream();
			out.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\nx"
				.getBytes(StandardCharsets.US_ASCII));
			TimeUnit.MILLISECONDS.sleep(900);
			out.write('x');
			assertThat(Message.read(client.getInputStream(), false, () -> {
			}).status()).isEqualTo(204);
		}
	}

	private static RunningGateway startWithReadTimeout(boolean virtualThreads, RawUpstream upstream) {
		return with("spring.http.clients.imperative.factory=http-components",
				"spring.threads.virtual.enabled=" + virtualThreads, "spring.http.clients.read-timeout=300ms",
				"gateway-bench.scope=all", "gateway-bench.strip-prefix.enabled=false")
			.startWithNativeRoute(upstream.url(), List.of());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http-components", "jetty", "reactor", "jdk", "simple" })
	void aBodyKeepsItsFraming(String client) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=" + client)
					.startWithRoute(List.of(upstream.url()))) {
			String head = "POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Type: %s\r\n%s\r\n\r\n";
			for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
				HttpExchange.send(running.port(), head.formatted(type, "Content-Length: 5") + "hello");
				Message request = upstream.request();
				assertThat(request.headers("Content-Length")).containsExactly("5");
				assertThat(request.headers("Content-Type")).containsExactly(type);
				assertThat(request.header("Transfer-Encoding")).isNull();
				assertThat(request.text()).isEqualTo("hello");
			}
			HttpExchange.send(running.port(),
					head.formatted("text/plain", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n");
			Message request = upstream.request();
			assertThat(request.headers("Transfer-Encoding")).containsExactly("chunked");
			assertThat(request.header("Content-Length")).isNull();
			assertThat(request.text()).isEqualTo("hello");
		}
	}

	/**
	 * The JDK's clients send question marks or UTF-8, and can't be told otherwise.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "http-components", "jetty", "reactor", "jdk", "simple" })
	void theBytesOfAHeaderPassInBothDirections(String client) throws Exception {
		String bytes = IntStream.range(0x80, 0x100).mapToObj(Character::toString).collect(Collectors.joining());
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=" + client)
					.startWithRoute(List.of(upstream.url()))) {
			upstream.answer(
					(out) -> out.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Bytes: %s\r\n\r\n".formatted(bytes)
						.getBytes(StandardCharsets.ISO_8859_1)));
			Message response = HttpExchange.send(running.port(),
					"GET /service/x HTTP/1.1\r\nHost: gateway\r\nX-Bytes: %s\r\nConnection: close\r\n\r\n"
						.formatted(bytes));
			assertThat(response.headers("X-Bytes")).containsExactly(bytes);
			String sent = switch (client) {
				case "jdk" -> "?".repeat(bytes.length());
				case "simple" -> new String(bytes.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
				default -> bytes;
			};
			assertThat(upstream.request().headers("X-Bytes")).containsExactly(sent);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http-components", "jetty", "reactor", "jdk", "simple" })
	void aHeaderThatTheApplicationSpoilsIsItsOwnError(String client) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=" + client).startWithNativeRoute(
						"rr://service", List.of("AddRequestHeader=X Spoilt, a"),
						"gateway-bench.upstreams.service.instances[0]=" + upstream.url())) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(500);
			assertThat(upstream.pendingRequests()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http-components", "jetty", "reactor", "jdk", "simple" })
	void whatIsNotAResponseIsABadGateway(String client) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=" + client)
					.startWithRoute(List.of(upstream.url()))) {
			upstream.answer((out) -> {
				out.write("nonsense\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				out.flush();
				throw new IOException("Closed by the test");
			});
			Problems.assertProblem(HttpExchange.get(running.port(), "/service/x"), 502, Problems.BROKEN);
		}
	}

	@Nested
	class Jetty extends HttpClientContract {

		Jetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class JettyOnVirtualThreads extends HttpClientContract {

		JettyOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=jetty", "spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class Reactor extends HttpClientContract {

		Reactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class Jdk extends HttpClientContract {

		Jdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Nested
	class JdkOnVirtualThreads extends HttpClientContract {

		JdkOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=jdk", "spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class RepeatsByApacheOnVirtualThreads extends RepeatsContract {

		RepeatsByApacheOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=http-components",
					"spring.threads.virtual.enabled=true"));
		}

	}

	/**
	 * Reactor Netty's client speaks it, while Apache's serves the others.
	 */
	@Nested
	class Http2Upstreams extends Http2UpstreamContract {

		Http2Upstreams() {
			super(with("spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class Http2UpstreamsOnPlatformThreads extends Http2UpstreamContract {

		Http2UpstreamsOnPlatformThreads() {
			super(with("spring.threads.virtual.enabled=false"));
		}

	}

	@Nested
	class ResetUploadsByReactor extends ResetUploadsContract {

		ResetUploadsByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class ResetUploadsByJdk extends ResetUploadsContract {

		ResetUploadsByJdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Nested
	class ResetUploadsByJetty extends ResetUploadsContract {

		ResetUploadsByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@ParameterizedTest
	@CsvSource({ "jdk, 1", "simple, 1", "http-components, 0", "reactor, 0", "jetty, 0" })
	@ExtendWith(OutputCaptureExtension.class)
	void aClientThatRepeatsRequestsByItselfIsTold(String client, int times, CapturedOutput output) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=" + client)
					.startWithRoute(List.of(upstream.url()))) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(204);
			assertThat(output.getOut().split("by itself if the upstream closes", -1)).hasSize(times + 1);
		}
	}

	@Nested
	class RepeatsByReactor extends RepeatsContract {

		RepeatsByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class RepeatsByJetty extends RepeatsContract {

		RepeatsByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class ConnectionsByReactor extends ConnectionsContract {

		ConnectionsByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	/**
	 * The JDK's clients keep a connection that is in use for ever.
	 */
	@Test
	void aConnectionOfJettysClientIsReplacedWhenItIsOld() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = with("spring.http.clients.imperative.factory=jetty")
					.startWithRoute(List.of(upstream.url()), "gateway-bench.http-client.max-connection-age=100ms")) {
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(204);
				assertThat(upstream.acceptedConnections()).isGreaterThan(3);
			});
		}
	}

	/**
	 * Jetty's client waits for a connection as long as the request may take, but not with
	 * any number of requests.
	 */
	@Test
	void whatDoesNotFitIntoTheQueueOfJettysClientIsUnavailable() throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		Gateway gateway = new Gateway(ShortQueueApplication.class, Flavour.WEBMVC);
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = gateway.startWithRoute(List.of(upstream.url()),
						"spring.http.clients.imperative.factory=jetty",
						"gateway-bench.http-client.max-connections-per-instance=1")) {
			upstream.answer((out) -> {
				RawUpstream.await(answered);
				out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			});
			CompletableFuture<Message> first = ConnectionsContract.get(running);
			upstream.request();
			List<CompletableFuture<Message>> others = List.of(ConnectionsContract.get(running),
					ConnectionsContract.get(running));
			Message refused = (Message) CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new)).join();
			Problems.assertProblem(refused, 503, Problems.NO_CONNECTION);
			answered.countDown();
			assertThat(first.join().status()).isEqualTo(204);
			assertThat(others).extracting((response) -> response.join().status()).containsExactlyInAnyOrder(204, 503);
		}
	}

	@Nested
	class CompressionByJetty extends CompressionContract {

		CompressionByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class TransferByJetty extends TransferContract {

		TransferByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

		/**
		 * A body that lasts until the connection ends is cut off unseen.
		 */
		@Override
		boolean tellsResets() {
			return false;
		}

	}

	@Nested
	class CompressionByReactor extends CompressionContract {

		CompressionByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class TransferByReactor extends TransferContract {

		TransferByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class CompressionByJdk extends CompressionContract {

		CompressionByJdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Nested
	class TransferByJdk extends TransferContract {

		TransferByJdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

		@Override
		@ParameterizedTest
		@ValueSource(ints = { HELD, STREAMED })
		@DisabledForJreRange(max = JRE.JAVA_17, disabledReason = NO_TRAILERS)
		void trailersOfTheUpstreamAreLeftOut(int length) throws Exception {
			super.trailersOfTheUpstreamAreLeftOut(length);
		}

		@Override
		@Test
		@DisabledForJreRange(max = JRE.JAVA_17, disabledReason = NO_TRAILERS)
		void trailersBecomeNoHeadersInEitherDirection() throws Exception {
			super.trailersBecomeNoHeadersInEitherDirection();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ShortQueueApplication {

		@Bean
		ClientHttpRequestFactoryBuilderCustomizer<JettyClientHttpRequestFactoryBuilder> shortQueue() {
			return (builder) -> builder
				.withHttpClientCustomizer((client) -> client.setMaxRequestsQueuedPerDestination(1));
		}

	}

}
