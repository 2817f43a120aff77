package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The gateway's own retries around those of the starter.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayRetryContract {

	private static final String OBJECT = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

	private static final String ENDLESS_ERROR = "HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\n"
			+ "Content-Length: 10000000\r\n\r\n{\"b";

	private static final String ERROR = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\nsorry";

	private final Gateway gateway;

	private RawUpstream service;

	/**
	 * With a native route for each test, whose requests are sent up to three times.
	 */
	private RunningGateway running;

	GatewayRetryContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.service = new RawUpstream();
		String two = "gateway-bench.upstreams.two.";
		List<String> all = new ArrayList<>(List.of("gateway-bench.upstreams.service.instances=" + this.service.url(),
				"gateway-bench.timeouts.response=5m", "gateway-bench.timeouts.read=5m",
				two + "instances[0]=" + this.service.url(),
				two + "instances[1]=" + this.service.url().replace("127.0.0.1", "localhost"),
				"gateway-bench.load-balancing.ejection.enabled=false"));
		all.addAll(route(0, "let-go", "service"));
		all.addAll(route(1, "attempts", "service"));
		all.addAll(route(2, "failing", "two"));
		all.addAll(route(3, "kept", "service"));
		if (this.gateway.flavour() == Flavour.WEBMVC) {
			String filters = this.gateway.nativePrefix() + ".routes[3].filters";
			all.addAll(List.of(filters + "[2].args.cacheBody=true", filters + "[3]=AdaptCachedBody"));
		}
		all.addAll(route(4, "not-kept", "service"));
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	private List<String> route(int index, String id, String upstream) {
		List<String> all = this.gateway.nativeRoute(index, id, "/" + id + "/**", "rr://" + upstream,
				List.of("InjectGatewayMetadata", "RecordGatewayMetrics"));
		String retry = "%s.routes[%d].filters[2].".formatted(this.gateway.nativePrefix(), index);
		all.addAll(List.of(retry + "name=Retry", retry + "args.retries=2", retry + "args.methods=GET,POST"));
		return all;
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.service.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.service.startOver();
	}

	@Test
	void aResponseThatIsRetriedIsLetGo() throws Exception {
		answer(ENDLESS_ERROR, ENDLESS_ERROR, OBJECT);
		Message response = HttpExchange.get(this.running.port(), "/let-go/x");
		assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
		assertThat(response.headers("From")).isEmpty();
		assertThat(this.service.pendingRequests()).isEqualTo(3);
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(this.service.openConnections()).isLessThanOrEqualTo(1);
			assertThat(CircuitBreakerContract.watches(this.running)).isZero();
		});
		awaitRequests("let-go", "SUCCESS");
	}

	@Test
	void attemptsAreAsManyAsTheGatewayIsToldTo() throws Exception {
		this.service.answer(ERROR);
		assertThat(HttpExchange.get(this.running.port(), "/attempts/x").status()).isEqualTo(500);
		assertThat(this.service.pendingRequests()).isEqualTo(3);
		awaitRequests("attempts", "SERVER_ERROR");
	}

	@Test
	void aFailureOfTheUpstreamIsToldWhenTheAttemptsAreUsedUp() throws Exception {
		this.service.answer((out) -> {
			throw new IOException("Closed by the test");
		});
		Problems.assertProblem(HttpExchange.get(this.running.port(), "/failing/x"), 502, Problems.BROKEN);
		assertThat(this.service.pendingRequests()).isBetween(2, 6);
		awaitRequests("failing", "SERVER_ERROR");
	}

	@Test
	void aBodyThatTheGatewayKeepsIsSentAgainAsAWhole() throws Exception {
		answer(ERROR, ERROR, OBJECT);
		assertThat(post("/kept/x").text()).startsWith("{\"a\":1,\"_gateway\":");
		for (int i = 0; i < 3; i++) {
			assertThat(this.service.request().text()).isEqualTo("the body");
		}
		assertThat(this.service.pendingRequests()).isZero();
	}

	/**
	 * WebFlux always keeps it.
	 */
	@Test
	void aBodyThatNobodyKeepsIsNotSentAgainWithoutItsContent() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		answer(ERROR, OBJECT);
		assertThat(post("/not-kept/x").status()).isGreaterThanOrEqualTo(500);
		assertThat(this.service.request().text()).isEqualTo("the body");
		assertThat(this.service.pendingRequests()).isZero();
	}

	private Message post(String target) throws IOException {
		return HttpExchange.send(this.running.port(), TimeoutsContract.post("the body").replace("/service/x", target));
	}

	/**
	 * Wait until the one request of a test is counted.
	 */
	private void awaitRequests(String route, String outcome) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.running.context()
				.getBean(MeterRegistry.class)
				.find("gateway.bench.requests")
				.tag("route", route)
				.timers()).extracting((timer) -> timer.getId().getTag("outcome"), Timer::count)
				.containsExactly(tuple(outcome, 1L)));
	}

	private void answer(String... responses) {
		AtomicInteger count = new AtomicInteger();
		this.service.answer((OutputStream out) -> out
			.write(responses[count.getAndIncrement() % responses.length].getBytes(StandardCharsets.US_ASCII)));
	}

}
