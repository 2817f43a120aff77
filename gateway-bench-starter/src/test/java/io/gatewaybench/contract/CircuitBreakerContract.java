package io.gatewaybench.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a response, or of the wait for one, when the gateway's own circuit
 * breaker answers in its place.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CircuitBreakerContract {

	private static final String OBJECT = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

	private final Gateway gateway;

	private RawUpstream service;

	private RawUpstream spare;

	private ClosedPort closed;

	private RunningGateway running;

	private Map<Meter.Id, Long> requestsBefore;

	CircuitBreakerContract(Gateway gateway) {
		this.gateway = gateway;
	}

	/**
	 * Each breaker has a name of its own: none opens for what another one has seen.
	 */
	@BeforeAll
	void start() throws IOException {
		this.service = new RawUpstream();
		this.spare = new RawUpstream();
		this.closed = new ClosedPort();
		List<String> all = new ArrayList<>();
		all.addAll(
				this.gateway.nativeRoute(0, "fallback", "/fallback/**", "rr://spare", List.of("RecordGatewayMetrics")));
		all.addAll(this.gateway.nativeRoute(1, "rewritten", "/rewritten/**", "rr://spare",
				List.of("RecordGatewayMetrics", "InjectGatewayMetadata")));
		all.addAll(this.gateway.nativeRoute(2, "direct", "/direct/**", this.spare.url(), List.of()));
		all.addAll(breaker(3, "service", "rr://service", "/fallback/x"));
		all.addAll(breaker(4, "to-rewritten", "rr://service", "/rewritten/x"));
		all.addAll(breaker(5, "to-direct", "rr://service", "/direct/x"));
		all.addAll(breaker(6, "to-health", "rr://service", "/actuator/health"));
		all.addAll(breaker(7, "to-nothing", "rr://service", null));
		all.addAll(breaker(8, "stripped", "rr://service", "/fallback/x", "[3]=StripGatewayPrefix"));
		all.addAll(breaker(9, "twice", "rr://twice", "/rewritten/x"));
		all.addAll(breaker(10, "closed", "rr://closed", "/fallback/x"));
		all.addAll(breaker(11, "closed-to-nothing", "rr://closed", null));
		all.addAll(breaker(12, "late", "rr://service", "/fallback/x"));
		all.addAll(breaker(13, "late-to-direct", "rr://service", "/direct/x"));
		all.addAll(breaker(14, "late-to-rewritten", "rr://service", "/rewritten/x"));
		this.running = start(all);
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.service.close();
		this.spare.close();
		this.closed.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.service.startOver();
		this.spare.startOver();
		this.spare.answer(OBJECT);
		this.requestsBefore = requests(this.running);
	}

	/**
	 * On WebMVC, one that is rewritten does when the breaker has waited long enough.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"b\r\n",
			"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n3\r\n{\"b\r\n",
			"Content-Length: 100\r\n\r\n{\"b", "Content-Length: 10000000\r\n\r\n{\"b" })
	void anErrorThatNeverEndsGivesWayToAnotherRoute(String rest) throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\n" + rest);
		for (int i = 0; i < 3; i++) {
			Message response = get("/late-to-rewritten/x");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
			assertThat(response.headers("From")).isEmpty();
			assertThat(this.spare.request().target()).isEqualTo("/rewritten/x");
		}
		assertNothingIsLeft();
		awaitRequests("SUCCESS", 3);
	}

	@Test
	void anErrorThatNeverEndsGivesWayToAnAnswerOfTheGateway() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\nContent-Length: 10000000\r\n\r\n{");
		Message response = get("/to-health/x");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.text()).contains("\"status\":\"UP\"").doesNotContain("_gateway");
		assertThat(response.headers("From")).isEmpty();
		assertNothingIsLeft();
		awaitRequests("SUCCESS", 1);
	}

	@Test
	void anErrorThatNeverEndsIsLetGoWhereThereIsNoFallback() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 10000000\r\n\r\n{");
		assertThat(get("/to-nothing/x").status()).isEqualTo(500);
		assertNothingIsLeft();
		awaitRequests("SERVER_ERROR", 1);
	}

	@Test
	void aFailureOfTheUpstreamIsToldWhereThereIsNoFallback() throws Exception {
		Problems.assertProblem(get("/closed-to-nothing/x"), 502, Problems.REFUSED);
		awaitRequests("SERVER_ERROR", 1);
	}

	@Test
	void anUpstreamThatIsTooSlowForTheBreakerIsLetGo() throws Exception {
		this.service.answer("");
		assertThatTheBreakerLetsGo();
	}

	/**
	 * The beginning of a body that is rewritten is part of the call on WebMVC only.
	 */
	@Test
	void aBodyThatIsTooSlowForTheBreakerIsLetGo() throws Exception {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBMVC);
		this.service.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n");
		assertThatTheBreakerLetsGo();
	}

	private void assertThatTheBreakerLetsGo() throws Exception {
		for (int i = 0; i < 2; i++) {
			Message response = get("/twice/x");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
		}
		assertNothingIsLeft();
		assertThat(this.service.pendingRequests()).isEqualTo(2);
		assertThat(this.running.upstreamEvents("retries")).isZero();
		assertThat(this.running.upstreamEvents("ejections")).isZero();
		awaitRequests("SUCCESS", 2);
	}

	@Test
	void aBodyThatTheGatewayKeepsIsSentToTheFallbackAsAWhole() throws Exception {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBMVC);
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		List<String> all = breaker(0, "service", "rr://service", "/fallback/x", "[3].name=Retry", "[3].args.retries=1",
				"[3].args.cacheBody=true", "[4]=AdaptCachedBody");
		all.addAll(this.gateway.nativeRoute(1, "fallback", "/fallback/**", "rr://spare",
				List.of("RecordGatewayMetrics", "AdaptCachedBody")));
		try (RunningGateway own = start(all)) {
			Message response = HttpExchange.send(own.port(), TimeoutsContract.post("the body"));
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(this.service.request().text()).isEqualTo("the body");
			assertThat(this.spare.request().text()).isEqualTo("the body");
		}
	}

	@Test
	void whatTheBreakerLetsPassIsRewrittenOnce() throws Exception {
		this.service.answer(OBJECT);
		assertThat(get("/to-rewritten/x").text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
		assertThat(this.spare.pendingRequests()).isZero();
		awaitRequests("SUCCESS", 1);
	}

	@Test
	void theFallbackHasItsOwnFeatures() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		assertThat(get("/stripped/x").text()).isEqualTo("{\"a\":1}");
		assertThat(this.service.request().target()).isEqualTo("/x");
		assertThat(this.spare.request().target()).isEqualTo("/fallback/x");
		awaitRequests("SUCCESS", 1);
	}

	/**
	 * WebFlux always keeps the body.
	 */
	@ParameterizedTest
	@CsvSource({ "/service/x, /fallback/x", "/to-direct/x, /direct/x" })
	void aBodyThatNobodyKeepsIsNotMissingAtTheFallback(String target, String fallback) throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		String body = "b".repeat(100_000);
		Message response = post(target, body);
		assertThat(this.service.request().text()).isEqualTo(body);
		if (this.gateway.flavour() == Flavour.WEBFLUX) {
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(this.spare.requestOf(fallback).text()).isEqualTo(body);
			awaitRequestOf(fallback, "SUCCESS");
		}
		else {
			Problems.assertProblem(response, 502, Problems.BROKEN);
			assertThat(this.spare.pendingRequests()).isZero();
			awaitRequestOf(fallback, "SERVER_ERROR");
		}
	}

	/**
	 * A fallback without features takes its requests from the count.
	 */
	private void awaitRequestOf(String fallback, String outcome) {
		if (!fallback.startsWith("/direct")) {
			awaitRequests(outcome, 1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "/late/x, /fallback/x", "/late-to-direct/x, /direct/x" })
	void aBodyIsNotMissingAtTheFallbackAfterATimeout(String target, String fallback) throws Exception {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBFLUX);
		this.service.answer("");
		String body = "b".repeat(100_000);
		Message response = post(target, body);
		assertThat(response.text()).isEqualTo("{\"a\":1}");
		assertThat(this.spare.requestOf(fallback).text()).isEqualTo(body);
		assertNothingIsLeft();
		awaitRequestOf(fallback, "SUCCESS");
	}

	@Test
	void aRequestWhoseBodyWasNotReadGoesToTheFallbackWithIt() throws Exception {
		assertThat(post("/closed/x", "the body").text()).isEqualTo("{\"a\":1}");
		assertThat(this.spare.request().text()).isEqualTo("the body");
		awaitRequests("SUCCESS", 1);
	}

	/**
	 * Start native routes to the upstreams {@code service}, {@code twice}, which is the
	 * same one at two addresses, {@code closed}, and {@code spare} to fall back to. By
	 * default, a breaker waits for a second, which a busy machine needs for itself; so
	 * only those do whose test is about the wait.
	 */
	private RunningGateway start(List<String> routes) {
		String upstreams = "gateway-bench.upstreams.";
		List<String> all = new ArrayList<>(routes);
		all.addAll(List.of(OnDemand.CIRCUIT_BREAKERS, upstreams + "spare.instances=" + this.spare.url(),
				upstreams + "closed.instances=" + this.closed.url(),
				upstreams + "service.instances=" + this.service.url(),
				upstreams + "twice.instances[0]=" + this.service.url(),
				upstreams + "twice.instances[1]=" + this.service.url().replace("127.0.0.1", "localhost"),
				"gateway-bench.timeouts.response=5m", "gateway-bench.timeouts.read=5m",
				"gateway-bench.load-balancing.ejection.consecutive-failures=1"));
		all.add("resilience4j.timelimiter.configs.default.timeout-duration=1m");
		for (String name : List.of("twice", "late", "late-to-direct", "late-to-rewritten")) {
			all.add("resilience4j.timelimiter.instances.%s.timeout-duration=500ms".formatted(name));
		}
		return this.gateway.start(all.toArray(String[]::new));
	}

	/**
	 * A native route with a breaker, both with the name that its path begins with.
	 * @param more what follows the name of {@code filters} for those after the breaker
	 */
	private List<String> breaker(int index, String name, String uri, String fallback, String... more) {
		List<String> all = this.gateway.nativeRoute(index, name, "/" + name + "/**", uri,
				List.of("InjectGatewayMetadata", "RecordGatewayMetrics"));
		String filters = "%s.routes[%d].filters".formatted(this.gateway.nativePrefix(), index);
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		all.addAll(List.of(filters + "[2].name=CircuitBreaker",
				filters + "[2].args." + (webflux ? "name=" : "id=") + name, filters + "[2].args.statusCodes[0]=500"));
		if (fallback != null) {
			all.add(filters + "[2].args.fallbackUri=forward:" + fallback);
		}
		for (String line : more) {
			all.add(filters + line);
		}
		return all;
	}

	private void assertNothingIsLeft() {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(this.service.openConnections()).isZero();
			assertThat(watches(this.running)).isZero();
		});
	}

	/**
	 * How many responses are watched over.
	 */
	static int watches(RunningGateway running) {
		Integer size = ReflectionTestUtils.invokeMethod(running.context().getBean(DeadlineTimer.class), "size");
		return Objects.requireNonNull(size);
	}

	/**
	 * Wait until so many requests of this test are counted, all with one outcome. Each
	 * test does: what is counted late would be taken for a request of the next.
	 */
	private void awaitRequests(String outcome, long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(requests(this.running).entrySet()
				.stream()
				.filter((timer) -> !timer.getValue().equals(this.requestsBefore.get(timer.getKey())))
				.map((timer) -> timer.getKey().getTag("outcome") + " "
						+ (timer.getValue() - this.requestsBefore.getOrDefault(timer.getKey(), 0L))))
				.containsExactly(outcome + " " + count));
	}

	private static Map<Meter.Id, Long> requests(RunningGateway running) {
		return running.context()
			.getBean(MeterRegistry.class)
			.find("gateway.bench.requests")
			.timers()
			.stream()
			.collect(Collectors.toMap(Timer::getId, Timer::count));
	}

	private Message get(String target) throws IOException {
		return HttpExchange.get(this.running.port(), target);
	}

	private Message post(String target, String body) throws IOException {
		return HttpExchange.send(this.running.port(), TimeoutsContract.post(body).replace("/service/x", target));
	}

}
