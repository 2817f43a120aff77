package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The gateway's own retries around those of the starter.
 */
class GatewayRetryContract {

	private static final String OBJECT = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

	private static final String ENDLESS_ERROR = "HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\n"
			+ "Content-Length: 10000000\r\n\r\n{\"b";

	private static final String ERROR = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\nsorry";

	private final Gateway gateway;

	private RawUpstream service;

	GatewayRetryContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.service = new RawUpstream();
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.service.close();
	}

	@Test
	void aResponseThatIsRetriedIsLetGo() throws Exception {
		answer(ENDLESS_ERROR, ENDLESS_ERROR, OBJECT);
		try (RunningGateway running = start()) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
			assertThat(response.headers("From")).isEmpty();
			assertThat(this.service.pendingRequests()).isEqualTo(3);
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				assertThat(this.service.openConnections()).isLessThanOrEqualTo(1);
				assertThat(CircuitBreakerContract.watches(running)).isZero();
			});
			CircuitBreakerContract.awaitRequests(running, "SUCCESS", 1);
		}
	}

	@Test
	void attemptsAreAsManyAsTheGatewayIsToldTo() throws Exception {
		this.service.answer(ERROR);
		try (RunningGateway running = start()) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(500);
			assertThat(this.service.pendingRequests()).isEqualTo(3);
			CircuitBreakerContract.awaitRequests(running, "SERVER_ERROR", 1);
		}
	}

	@Test
	void aFailureOfTheUpstreamIsToldWhenTheAttemptsAreUsedUp() throws Exception {
		this.service.answer((out) -> {
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = start(
				"gateway-bench.upstreams.service.instances[1]=" + this.service.url().replace("127.0.0.1", "localhost"),
				"gateway-bench.load-balancing.ejection.enabled=false")) {
			Problems.assertProblem(HttpExchange.get(running.port(), "/service/x"), 502, Problems.BROKEN);
			assertThat(this.service.pendingRequests()).isBetween(2, 6);
			CircuitBreakerContract.awaitRequests(running, "SERVER_ERROR", 1);
		}
	}

	@Test
	void aBodyThatTheGatewayKeepsIsSentAgainAsAWhole() throws Exception {
		answer(ERROR, ERROR, OBJECT);
		String filters = this.gateway.nativePrefix() + ".routes[0].filters";
		List<String> kept = (this.gateway.flavour() == Flavour.WEBFLUX) ? List.of()
				: List.of(filters + "[2].args.cacheBody=true", filters + "[3]=AdaptCachedBody");
		try (RunningGateway running = start(kept.toArray(String[]::new))) {
			Message response = HttpExchange.send(running.port(), TimeoutsContract.post("the body"));
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
			for (int i = 0; i < 3; i++) {
				assertThat(this.service.request().text()).isEqualTo("the body");
			}
			assertThat(this.service.pendingRequests()).isZero();
		}
	}

	/**
	 * WebFlux always keeps it.
	 */
	@Test
	void aBodyThatNobodyKeepsIsNotSentAgainWithoutItsContent() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		answer(ERROR, OBJECT);
		try (RunningGateway running = start()) {
			assertThat(HttpExchange.send(running.port(), TimeoutsContract.post("the body")).status())
				.isGreaterThanOrEqualTo(500);
			assertThat(this.service.request().text()).isEqualTo("the body");
			assertThat(this.service.pendingRequests()).isZero();
		}
	}

	private void answer(String... responses) {
		AtomicInteger count = new AtomicInteger();
		this.service.answer((OutputStream out) -> out
			.write(responses[count.getAndIncrement() % responses.length].getBytes(StandardCharsets.US_ASCII)));
	}

	/**
	 * A native route to the upstream whose requests are sent up to three times.
	 */
	private RunningGateway start(String... properties) {
		String retry = this.gateway.nativePrefix() + ".routes[0].filters[2]";
		List<String> all = new ArrayList<>(List.of("gateway-bench.upstreams.service.instances[0]=" + this.service.url(),
				"gateway-bench.upstreams.service.timeouts.response=5m",
				"gateway-bench.upstreams.service.timeouts.read=5m", retry + ".name=Retry", retry + ".args.retries=2",
				retry + ".args.methods=GET,POST"));
		all.addAll(Arrays.asList(properties));
		return this.gateway.startWithNativeRoute("rr://service",
				List.of("InjectGatewayMetadata", "RecordGatewayMetrics"), all.toArray(String[]::new));
	}

}
