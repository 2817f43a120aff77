package io.gatewaybench.contract;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How requests are spread over the instances of an upstream.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpstreamContract {

	private final Gateway gateway;

	private final List<WireMockServer> instances = List.of(Upstreams.wireMock(), Upstreams.wireMock(),
			Upstreams.wireMock());

	private RawUpstream raw;

	/**
	 * With a route for each test, whose upstream has turns of its own.
	 */
	private RunningGateway running;

	UpstreamContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.instances.forEach(WireMockServer::start);
		this.raw = new RawUpstream();
		List<String> all = Gateway.route(0, "spread", "spread", urls());
		all.addAll(Gateway.route(1, "native-upstream", "native", urls()));
		all.addAll(Gateway.route(2, "adding-upstream", "adding", urls()));
		all.addAll(Gateway.route(3, "single", "single", urls().subList(0, 1)));
		all.addAll(Gateway.route(4, "raw", "raw", List.of(this.raw.url())));
		all.addAll(this.gateway.nativeRoute(0, "native", "/native-route/**", "rr://native", List.of("StripPrefix=1")));
		all.addAll(this.gateway.nativeRoute(1, "adding", "/adding-route/**", "rr://adding",
				List.of("StripPrefix=1", "AddRequestParameter=added, 1")));
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.instances.forEach(WireMockServer::stop);
		this.raw.close();
	}

	@BeforeEach
	void answerEverything() {
		this.instances.forEach((instance) -> {
			instance.resetAll();
			instance.stubFor(any(anyUrl()).willReturn(aResponse().withBody("ok")));
		});
	}

	@Test
	void concurrentRequestsAreSpreadEquallyToWithinOne() {
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:%d/spread/x".formatted(this.running.port())))
			.build();
		for (int requests : new int[] { 300, 301, 302 }) {
			answerEverything();
			List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, requests)
				.mapToObj((i) -> client.sendAsync(request, BodyHandlers.ofString()))
				.toList();
			assertThat(responses).allSatisfy((response) -> assertThat(response.join().statusCode()).isEqualTo(200));
			List<Integer> counts = counts();
			assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(requests);
			assertThat(counts).allSatisfy((count) -> assertThat(count).isBetween(requests / 3, (requests + 2) / 3));
		}
	}

	@Test
	void aNativeRouteCanLeadToAnUpstream() throws Exception {
		for (int i = 0; i < 6; i++) {
			assertThat(HttpExchange.get(this.running.port(), "/native-route/x?a").status()).isEqualTo(200);
		}
		assertThat(counts()).containsExactly(2, 2, 2);
		this.instances.get(0).verify(2, anyRequestedFor(urlEqualTo("/x?a")));
	}

	@Test
	void aParameterThatAFilterOfTheRouteAddsReachesTheUpstream() throws Exception {
		assertThat(HttpExchange.get(this.running.port(), "/adding-route/x?a=b%20c").status()).isEqualTo(200);
		this.instances.get(0).verify(1, anyRequestedFor(urlEqualTo("/x?a=b%20c&added=1")));
	}

	@Test
	void theFirstInstanceTakesAllWhenRoundRobinIsOff() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(urls(),
				"gateway-bench.load-balancing.enabled=false")) {
			for (int i = 0; i < 4; i++) {
				HttpExchange.get(running.port(), "/service/x");
			}
			assertThat(counts()).containsExactly(4, 0, 0);
		}
	}

	@Test
	void nothingInThePathChoosesTheHost() throws Exception {
		for (String target : List.of("/single//evil.example/x", "/single/@evil.example/x", "/single/%2e%2e/x",
				"/single/http://evil.example/", "/single/?@evil.example")) {
			assertThat(HttpExchange.get(this.running.port(), target).status()).as(target).isIn(200, 400);
		}
		assertThat(this.instances.get(0).getAllServeEvents()).isNotEmpty()
			.allSatisfy((event) -> assertThat(event.getRequest().getHost()).isEqualTo("127.0.0.1"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json" })
	void theUpstreamIsReleasedWhenTheClientHasTheBodyAlready(String contentType) throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		this.raw.answer((out) -> {
			try {
				out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nETag: \"1\"\r\nContent-Length: 20000008\r\n\r\n"
					.formatted(contentType)
					.getBytes(StandardCharsets.US_ASCII));
				out.write(("{\"a\":\"" + "x".repeat(20_000_000) + "\"}").getBytes(StandardCharsets.US_ASCII));
			}
			finally {
				released.countDown();
			}
		});
		Message response = HttpExchange.send(this.running.port(), """
				GET /raw/x HTTP/1.1\r
				Host: gateway\r
				If-None-Match: "1", W/"1"\r
				Connection: close\r
				\r
				""");
		assertThat(response.status()).isIn(200, 304);
		RawUpstream.await(released);
	}

	private List<String> urls() {
		return this.instances.stream().map((instance) -> "http://127.0.0.1:" + instance.port()).toList();
	}

	private List<Integer> counts() {
		return this.instances.stream().map((instance) -> instance.getAllServeEvents().size()).toList();
	}

}
