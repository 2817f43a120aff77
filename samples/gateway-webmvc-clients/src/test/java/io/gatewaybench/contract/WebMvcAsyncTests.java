package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Exchanges on WebMVC that a filter of the application makes asynchronous: nothing of
 * them stays behind, and the client sees how they ended.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebMvcAsyncTests {

	private static final int REQUESTS = 30;

	private static final String LONG = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200000\r\n\r\n"
			+ "x".repeat(200_000);

	/**
	 * By whether their threads are virtual.
	 */
	private final Map<Boolean, RunningGateway> running = new HashMap<>();

	private RawUpstream upstream;

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		for (boolean virtualThreads : new boolean[] { false, true }) {
			this.running.put(virtualThreads, start(virtualThreads));
		}
	}

	@AfterAll
	void stop() throws IOException {
		this.running.values().forEach(RunningGateway::close);
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBodyThatNobodyReadsIsLetGo(boolean virtualThreads) throws Exception {
		this.upstream.answer(LONG);
		RunningGateway running = this.running.get(virtualThreads);
		for (int i = 0; i < REQUESTS; i++) {
			assertThat(HttpExchange.get(running.port(), "/unread").text()).isEqualTo("own");
		}
		assertNothingIsLeft(running);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBodyThatIsPassedOnComesWhole(boolean virtualThreads) throws Exception {
		this.upstream.answer(LONG);
		RunningGateway running = this.running.get(virtualThreads);
		for (int i = 0; i < REQUESTS; i++) {
			assertThat(HttpExchange.get(running.port(), "/read").body()).hasSize(200_000);
		}
		Message response = HttpExchange.send(running.port(), """
				POST /read HTTP/1.1\r
				Host: gateway\r
				Connection: close\r
				Content-Type: application/x-www-form-urlencoded\r
				Content-Length: 7\r
				\r
				a=%7e&b""");
		assertThat(response.status()).isEqualTo(200);
		for (int i = 0; i < REQUESTS; i++) {
			this.upstream.request();
		}
		assertThat(this.upstream.request().text()).isEqualTo("a=%7e&b");
		assertNothingIsLeft(running);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBodyThatBreaksOffIsABrokenTransfer(boolean virtualThreads) throws Exception {
		this.upstream.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("Closed by the test");
		});
		RunningGateway running = this.running.get(virtualThreads);
		for (int i = 0; i < REQUESTS; i++) {
			try {
				Problems.assertProblem(HttpExchange.get(running.port(), "/read"), 502, Problems.BROKEN);
			}
			catch (EOFException ex) {
				// Something had left already
			}
		}
		assertNothingIsLeft(running);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anExchangeThatIsNotWaitedForIsCancelled(boolean virtualThreads) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.upstream.answer((out) -> RawUpstream.await(end));
		RunningGateway running = this.running.get(virtualThreads);
		for (int i = 0; i < 3; i++) {
			assertThat(HttpExchange.get(running.port(), "/late").status()).isEqualTo(503);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(CircuitBreakerContract.watches(running)).isZero());
		this.upstream.answer(LONG);
		assertThat(HttpExchange.get(running.port(), "/read").body()).hasSize(200_000);
		end.countDown();
	}

	private void assertNothingIsLeft(RunningGateway running) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(CircuitBreakerContract.watches(running)).isZero();
			assertThat(this.upstream.openConnections()).isLessThanOrEqualTo(1);
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain(Application.THREAD);
		});
	}

	private RunningGateway start(boolean virtualThreads) {
		return new Gateway(Application.class, Flavour.WEBMVC).start(
				"spring.http.clients.imperative.factory=http-components",
				"spring.threads.virtual.enabled=" + virtualThreads,
				"gateway-bench.upstreams.service.instances[0]=" + this.upstream.url(),
				"gateway-bench.http-client.max-connections-per-instance=2",
				"gateway-bench.http-client.acquire-timeout=2s");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final String THREAD = "exchange-of-the-application";

		@Bean
		RouterFunction<ServerResponse> asynchronousRoutes() {
			return route("unread").GET("/unread", http())
				.GET("/read", http())
				.POST("/read", http())
				.GET("/late", http())
				.before(uri("rr://service"))
				.filter(asynchronous())
				.build();
		}

		private static HandlerFilterFunction<ServerResponse, ServerResponse> asynchronous() {
			return (request, next) -> {
				CompletableFuture<ServerResponse> response = CompletableFuture.supplyAsync(() -> answer(request, next),
						(task) -> new Thread(task, THREAD).start());
				return request.path().equals("/late") ? ServerResponse.async(response, Duration.ofMillis(200))
						: ServerResponse.async(response);
			};
		}

		private static ServerResponse answer(ServerRequest request, HandlerFunction<ServerResponse> next) {
			try {
				ServerResponse response = next.handle(request);
				return request.path().equals("/unread") ? ServerResponse.ok().body("own") : response;
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}

	}

}
