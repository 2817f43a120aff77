package io.gatewaybench.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.upstream.DeadlineTimer;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a response, or of the wait for one, when the gateway's own circuit
 * breaker answers in its place.
 */
class CircuitBreakerContract {

	private static final String OBJECT = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

	private static final String REWRITTEN_FALLBACK = "%s.routes[1].filters[1]=InjectGatewayMetadata";

	private final Gateway gateway;

	private RawUpstream service;

	private RawUpstream spare;

	CircuitBreakerContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstreams() throws IOException {
		this.service = new RawUpstream();
		this.spare = new RawUpstream();
		this.spare.answer(OBJECT);
	}

	@AfterEach
	void stopUpstreams() throws IOException {
		this.service.close();
		this.spare.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"b\r\n",
			"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n3\r\n{\"b\r\n",
			"Content-Length: 100\r\n\r\n{\"b", "Content-Length: 10000000\r\n\r\n{\"b" })
	void anErrorThatNeverEndsGivesWayToAnotherRoute(String rest) throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\n" + rest);
		try (RunningGateway running = start("/fallback/x", REWRITTEN_FALLBACK.formatted(this.gateway.nativePrefix()))) {
			for (int i = 0; i < 3; i++) {
				Message response = get(running);
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
				assertThat(response.headers("From")).isEmpty();
				assertThat(this.spare.request().target()).isEqualTo("/fallback/x");
			}
			assertNothingIsLeft(running);
			awaitRequests(running, "SUCCESS", 3);
		}
	}

	@Test
	void anErrorThatNeverEndsGivesWayToAnAnswerOfTheGateway() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nFrom: service\r\nContent-Length: 10000000\r\n\r\n{");
		try (RunningGateway running = start("/actuator/health")) {
			Message response = get(running);
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).contains("\"status\":\"UP\"").doesNotContain("_gateway");
			assertThat(response.headers("From")).isEmpty();
			assertNothingIsLeft(running);
			awaitRequests(running, "SUCCESS", 1);
		}
	}

	@Test
	void anErrorThatNeverEndsIsLetGoWhereThereIsNoFallback() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 10000000\r\n\r\n{");
		try (RunningGateway running = start(null)) {
			assertThat(get(running).status()).isEqualTo(500);
			assertNothingIsLeft(running);
			awaitRequests(running, "SERVER_ERROR", 1);
		}
	}

	@Test
	void aFailureOfTheUpstreamIsToldWhereThereIsNoFallback() throws Exception {
		try (RunningGateway running = start(null)) {
			this.service.close();
			Problems.assertProblem(get(running), 502, Problems.REFUSED);
			awaitRequests(running, "SERVER_ERROR", 1);
		}
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
		try (RunningGateway running = start("/fallback/x", REWRITTEN_FALLBACK.formatted(this.gateway.nativePrefix()),
				"gateway-bench.upstreams.service.instances[1]=" + this.service.url().replace("127.0.0.1", "localhost"),
				"gateway-bench.load-balancing.ejection.consecutive-failures=1")) {
			for (int i = 0; i < 2; i++) {
				Message response = get(running);
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
			}
			assertNothingIsLeft(running);
			assertThat(this.service.pendingRequests()).isEqualTo(2);
			assertThat(running.upstreamEvents("retries")).isZero();
			assertThat(running.upstreamEvents("ejections")).isZero();
			awaitRequests(running, "SUCCESS", 2);
		}
	}

	@Test
	void whatTheBreakerLetsPassIsRewrittenOnce() throws Exception {
		this.service.answer(OBJECT);
		try (RunningGateway running = start("/fallback/x", REWRITTEN_FALLBACK.formatted(this.gateway.nativePrefix()))) {
			assertThat(get(running).text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
			assertThat(this.spare.pendingRequests()).isZero();
			awaitRequests(running, "SUCCESS", 1);
		}
	}

	@Test
	void theFallbackHasItsOwnFeatures() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		String routes = this.gateway.nativePrefix() + ".routes";
		try (RunningGateway running = start("/fallback/x", routes + "[0].filters[3]=StripGatewayPrefix")) {
			assertThat(get(running).text()).isEqualTo("{\"a\":1}");
			assertThat(this.service.request().target()).isEqualTo("/x");
			assertThat(this.spare.request().target()).isEqualTo("/fallback/x");
		}
	}

	/**
	 * WebFlux always keeps the body.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/fallback/x", "/direct/x" })
	void aBodyThatNobodyKeepsIsNotMissingAtTheFallback(String fallback) throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		String body = "b".repeat(100_000);
		String direct = this.gateway.nativePrefix() + ".routes[2]";
		try (RunningGateway running = start(fallback, direct + ".id=direct", direct + ".uri=" + this.spare.url(),
				direct + ".predicates[0]=Path=/direct/**")) {
			Message response = HttpExchange.send(running.port(), TimeoutsContract.post(body));
			assertThat(this.service.request().text()).isEqualTo(body);
			if (this.gateway.flavour() == Flavour.WEBFLUX) {
				assertThat(response.text()).isEqualTo("{\"a\":1}");
				assertThat(this.spare.requestOf(fallback).text()).isEqualTo(body);
			}
			else {
				Problems.assertProblem(response, 502, Problems.BROKEN);
				assertThat(this.spare.pendingRequests()).isZero();
			}
		}
	}

	/**
	 * The breaker waits for a second by default.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/fallback/x", "/direct/x" })
	void aBodyIsNotMissingAtTheFallbackAfterATimeout(String fallback) throws Exception {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBFLUX);
		this.service.answer("");
		String body = "b".repeat(100_000);
		String direct = this.gateway.nativePrefix() + ".routes[2]";
		try (RunningGateway running = start(fallback, direct + ".id=direct", direct + ".uri=" + this.spare.url(),
				direct + ".predicates[0]=Path=/direct/**")) {
			Message response = HttpExchange.send(running.port(), TimeoutsContract.post(body));
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(this.spare.requestOf(fallback).text()).isEqualTo(body);
			assertNothingIsLeft(running);
		}
	}

	@Test
	void aBodyThatTheGatewayKeepsIsSentToTheFallbackAsAWhole() throws Exception {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBMVC);
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
		String routes = this.gateway.nativePrefix() + ".routes";
		try (RunningGateway running = start("/fallback/x", routes + "[0].filters[3].name=Retry",
				routes + "[0].filters[3].args.retries=1", routes + "[0].filters[3].args.cacheBody=true",
				routes + "[0].filters[4]=AdaptCachedBody", routes + "[1].filters[1]=AdaptCachedBody")) {
			Message response = HttpExchange.send(running.port(), TimeoutsContract.post("the body"));
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(this.service.request().text()).isEqualTo("the body");
			assertThat(this.spare.request().text()).isEqualTo("the body");
		}
	}

	@Test
	void aRequestWhoseBodyWasNotReadGoesToTheFallbackWithIt() throws Exception {
		try (RunningGateway running = start("/fallback/x")) {
			this.service.close();
			Message response = HttpExchange.send(running.port(), TimeoutsContract.post("the body"));
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(this.spare.request().text()).isEqualTo("the body");
		}
	}

	/**
	 * A native route to the upstream {@code service} with a breaker, and one to
	 * {@code spare} to fall back to.
	 */
	private RunningGateway start(String fallback, String... properties) {
		String routes = this.gateway.nativePrefix() + ".routes";
		String breaker = routes + "[0].filters[2]";
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		List<String> all = new ArrayList<>(List.of("gateway-bench.upstreams.service.instances[0]=" + this.service.url(),
				"gateway-bench.upstreams.service.timeouts.response=5m",
				"gateway-bench.upstreams.service.timeouts.read=5m",
				"gateway-bench.upstreams.spare.instances[0]=" + this.spare.url(), routes + "[0].id=the-route",
				routes + "[0].uri=rr://service", routes + "[0].predicates[0]=Path=/service/**",
				routes + "[0].filters[0]=InjectGatewayMetadata", routes + "[0].filters[1]=RecordGatewayMetrics",
				breaker + ".name=CircuitBreaker", breaker + ".args." + (webflux ? "name" : "id") + "=the-breaker",
				breaker + ".args.statusCodes[0]=500", routes + "[1].id=the-fallback", routes + "[1].uri=rr://spare",
				routes + "[1].predicates[0]=Path=/fallback/**", routes + "[1].filters[0]=RecordGatewayMetrics"));
		if (fallback != null) {
			all.add(breaker + ".args.fallbackUri=forward:" + fallback);
		}
		all.addAll(Arrays.asList(properties));
		return this.gateway.start(all.toArray(String[]::new));
	}

	private void assertNothingIsLeft(RunningGateway running) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(this.service.openConnections()).isZero();
			assertThat(watches(running)).isZero();
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
	 * Wait until so many requests are counted, all with one outcome.
	 */
	static void awaitRequests(RunningGateway running, String outcome, long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(running.context()
				.getBean(MeterRegistry.class)
				.find("gateway.bench.requests")
				.timers()
				.stream()
				.map((timer) -> timer.getId().getTag("outcome") + " " + timer.count()))
				.containsExactly(outcome + " " + count));
	}

	private static Message get(RunningGateway running) throws IOException {
		return HttpExchange.get(running.port(), "/service/x");
	}

}
