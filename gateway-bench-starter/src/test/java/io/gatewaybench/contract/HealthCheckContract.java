package io.gatewaybench.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serviceUnavailable;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances are asked whether they are healthy, and those that are not get no requests.
 */
class HealthCheckContract {

	private static final String PATH = "/actuator/health";

	private static final String HEALTH_CHECK = "gateway-bench.load-balancing.health-check.";

	private final Gateway gateway;

	private final WireMockServer good = Upstreams.wireMock();

	private final WireMockServer bad = Upstreams.wireMock();

	private final CountDownLatch end = new CountDownLatch(1);

	HealthCheckContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstreams() {
		this.good.start();
		this.good.stubFor(any(anyUrl()).willReturn(ok("ok")));
		this.bad.start();
		this.bad.stubFor(any(anyUrl()).willReturn(ok("ok")));
	}

	@AfterEach
	void stopUpstreams() {
		this.end.countDown();
		this.good.stop();
		this.bad.stop();
	}

	@Test
	void nobodyIsAskedUnlessItIsSwitchedOn() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(urls())) {
			post(running);
			this.good.verify(0, getRequestedFor(urlEqualTo(PATH)));
			this.bad.verify(0, getRequestedFor(urlEqualTo(PATH)));
		}
	}

	@Test
	void anInstanceThatSaysItIsNotHealthyGetsNoRequestUntilItIs() throws Exception {
		this.bad.stubFor(get(PATH).willReturn(serviceUnavailable()));
		try (RunningGateway running = start()) {
			for (int i = 0; i < 10; i++) {
				assertThat(post(running)).isEqualTo("ok");
			}
			this.bad.verify(0, postRequestedFor(anyUrl()));
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			this.bad.verify(
					getRequestedFor(urlEqualTo(PATH)).withHeader("User-Agent", equalTo("gateway-bench-health-check")));
			this.bad.stubFor(get(PATH).willReturn(ok()));
			await(running, "recoveries");
			assertThat(post(running)).isEqualTo("ok");
			assertThat(post(running)).isEqualTo("ok");
			this.bad.verify(1, postRequestedFor(anyUrl()));
		}
	}

	@Test
	void anInstanceThatFallsSilentIsTakenOutByTheTimeoutAndComesBack() throws Exception {
		CountDownLatch silence = new CountDownLatch(1);
		try (RawUpstream silent = new RawUpstream();
				RunningGateway running = start(List.of(silent.url(), this.good.baseUrl()), "2s")) {
			silent.answer((out) -> {
				RawUpstream.await(silence);
				throw new IOException("Closed by the test");
			});
			await(running, "ejections");
			for (int i = 0; i < 4; i++) {
				assertThat(post(running)).isEqualTo("ok");
			}
			silent.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
			silence.countDown();
			await(running, "recoveries");
			assertThat(post(running)).isEqualTo("ok");
			assertThat(post(running)).isEqualTo("ok");
		}
	}

	/**
	 * Otherwise the host is asked for ever to which a name has once led.
	 */
	@Test
	void aConnectionOfTheChecksIsReplacedWhenItIsOld() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = start(List.of(upstream.url(), this.good.baseUrl()), "2s")) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(upstream.acceptedConnections()).isGreaterThan(2));
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aStartWithAnInstanceThatIsDownLosesNoRequest(boolean refuses) throws Exception {
		try (RawUpstream silent = new RawUpstream(); ClosedPort closed = new ClosedPort()) {
			silent.answer((out) -> RawUpstream.await(this.end));
			String down = refuses ? closed.url() : silent.url();
			try (RunningGateway running = start(List.of(down, this.good.baseUrl()), "2s")) {
				for (int i = 0; i < 10; i++) {
					assertThat(post(running)).isEqualTo("ok");
				}
				this.good.verify(10, postRequestedFor(anyUrl()));
				assertThat(running.upstreamEvents("retries")).isZero();
			}
		}
	}

	@Test
	void theLastInstanceTakesAllWhateverItsCheckSays() throws Exception {
		this.bad.stubFor(get(PATH).willReturn(serviceUnavailable()));
		try (RunningGateway running = start(List.of(this.bad.baseUrl()))) {
			assertThat(post(running)).isEqualTo("ok");
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@Test
	void anUpstreamCanHaveAPathOfItsOwnOrNoCheck() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(urls().subList(0, 1),
				"gateway-bench.upstreams.service.health-check.enabled=true",
				"gateway-bench.upstreams.service.health-check.path=/up",
				"gateway-bench.upstreams.other.instances=" + this.good.baseUrl())) {
			assertThat(post(running)).isEqualTo("ok");
			this.bad.verify(getRequestedFor(urlEqualTo("/up")));
			assertThat(this.good.getAllServeEvents()).isEmpty();
		}
	}

	@Test
	void instancesThatComeWithARefreshAreChecked() throws Exception {
		this.bad.stubFor(get(PATH).willReturn(serviceUnavailable()));
		try (RunningGateway running = start(List.of(this.good.baseUrl()))) {
			Map<String, Object> changed = new HashMap<>();
			changed.put("gateway-bench.upstreams.service.instances", this.good.baseUrl() + "," + this.bad.baseUrl());
			running.context().getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
			running.context().publishEvent(new EnvironmentChangeEvent(running.context(), changed.keySet()));
			await(running, "ejections");
			for (int i = 0; i < 4; i++) {
				assertThat(post(running)).isEqualTo("ok");
			}
			this.bad.verify(0, postRequestedFor(anyUrl()));
		}
	}

	@Test
	void noThreadIsLeftWhenTheGatewayHasStopped() {
		Set<String> before = threads();
		try (RunningGateway running = start()) {
			assertThat(threads()).contains("gateway-bench-health-checks");
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(before).containsAll(threads()));
	}

	private static Set<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("HttpClient-") || name.startsWith("gateway-bench-health"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private RunningGateway start() {
		return start(urls());
	}

	private RunningGateway start(List<String> instances) {
		return start(instances, "20s");
	}

	private RunningGateway start(List<String> instances, String timeout) {
		return this.gateway.startWithRoute(instances, HEALTH_CHECK + "enabled=true", HEALTH_CHECK + "interval=200ms",
				HEALTH_CHECK + "timeout=" + timeout);
	}

	private List<String> urls() {
		return List.of(this.bad.baseUrl(), this.good.baseUrl());
	}

	private static String post(RunningGateway running) throws IOException {
		Message response = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
		return response.text();
	}

	private static void await(RunningGateway running, String meter) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(running.upstreamEvents(meter)).isPositive());
	}

}
