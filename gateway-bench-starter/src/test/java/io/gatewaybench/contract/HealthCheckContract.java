package io.gatewaybench.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HealthCheckContract {

	private static final String PATH = "/actuator/health";

	private static final String HEALTH_CHECK = "gateway-bench.load-balancing.health-check.";

	private final Gateway gateway;

	private final WireMockServer good = Upstreams.wireMock();

	private final WireMockServer bad = Upstreams.wireMock();

	private final CountDownLatch end = new CountDownLatch(1);

	private RawUpstream aging;

	private RawUpstream unchecked;

	/**
	 * With a route for each test, whose upstream is asked at a path of its own.
	 */
	private RunningGateway running;

	HealthCheckContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		for (WireMockServer instance : List.of(this.good, this.bad)) {
			instance.start();
			instance.stubFor(any(anyUrl()).willReturn(ok("ok")));
		}
		for (String name : List.of("unhealthy", "last", "changing")) {
			this.bad.stubFor(get("/health/" + name).willReturn(serviceUnavailable()));
		}
		this.aging = new RawUpstream();
		this.unchecked = new RawUpstream();
		Map<String, List<String>> upstreams = new TreeMap<>();
		upstreams.put("aging", List.of(this.aging.url(), this.good.baseUrl()));
		upstreams.put("changing", List.of(this.good.baseUrl()));
		upstreams.put("last", List.of(this.bad.baseUrl()));
		upstreams.put("own", List.of(this.bad.baseUrl()));
		upstreams.put("unhealthy", List.of(this.bad.baseUrl(), this.good.baseUrl()));
		List<String> all = new ArrayList<>(List.of(HEALTH_CHECK + "interval=200ms", HEALTH_CHECK + "timeout=20s",
				"gateway-bench.upstreams.unchecked.instances=" + this.unchecked.url()));
		upstreams.forEach((name, instances) -> {
			all.addAll(Gateway.route(List.copyOf(upstreams.keySet()).indexOf(name), name, name, instances));
			String check = "gateway-bench.upstreams.%s.health-check.".formatted(name);
			all.addAll(List.of(check + "enabled=true", check + "path=/health/" + name));
		});
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.end.countDown();
		this.running.close();
		this.aging.close();
		this.unchecked.close();
		this.good.stop();
		this.bad.stop();
	}

	@Test
	void nobodyIsAskedUnlessItIsSwitchedOn() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()))) {
			post(running, "service");
			assertThat(upstream.request().startLine()).startsWith("POST ");
			assertThat(upstream.pendingRequests()).isZero();
		}
	}

	@Test
	void anInstanceThatSaysItIsNotHealthyGetsNoRequestUntilItIs() throws Exception {
		for (int i = 0; i < 10; i++) {
			assertThat(post(this.running, "unhealthy")).isEqualTo("ok");
		}
		this.bad.verify(0, postRequestedFor(urlEqualTo("/unhealthy")));
		assertThat(this.running.upstreamEvents("ejections", "upstream", "unhealthy")).isEqualTo(1);
		this.bad.verify(getRequestedFor(urlEqualTo("/health/unhealthy")).withHeader("User-Agent",
				equalTo("gateway-bench-health-check")));
		this.bad.stubFor(get("/health/unhealthy").willReturn(ok()));
		await(this.running, "recoveries", "unhealthy");
		assertThat(post(this.running, "unhealthy")).isEqualTo("ok");
		assertThat(post(this.running, "unhealthy")).isEqualTo("ok");
		this.bad.verify(1, postRequestedFor(urlEqualTo("/unhealthy")));
	}

	@Test
	void anInstanceThatFallsSilentIsTakenOutByTheTimeoutAndComesBack() throws Exception {
		String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
		CountDownLatch silence = new CountDownLatch(1);
		try (RawUpstream silent = new RawUpstream(); RawUpstream another = new RawUpstream()) {
			silent.answer(ok);
			another.answer(ok);
			try (RunningGateway running = start(List.of(silent.url(), another.url()), "1s")) {
				silent.answer((out) -> {
					RawUpstream.await(silence);
					throw new IOException("Closed by the test");
				});
				await(running, "ejections", "service");
				for (int i = 0; i < 4; i++) {
					assertThat(post(running, "service")).isEqualTo("ok");
				}
				silent.answer(ok);
				silence.countDown();
				await(running, "recoveries", "service");
				assertThat(post(running, "service")).isEqualTo("ok");
				assertThat(post(running, "service")).isEqualTo("ok");
			}
		}
	}

	/**
	 * Otherwise the host is asked for ever to which a name has once led.
	 */
	@Test
	void aConnectionOfTheChecksIsReplacedWhenItIsOld() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.aging.acceptedConnections()).isGreaterThan(2));
		assertThat(this.running.upstreamEvents("ejections", "upstream", "aging")).isZero();
	}

	@Test
	void aStartWithInstancesThatAreDownLosesNoRequest() throws Exception {
		try (RawUpstream silent = new RawUpstream(); ClosedPort closed = new ClosedPort()) {
			silent.answer((out) -> RawUpstream.await(this.end));
			List<String> instances = List.of(closed.url(), silent.url(), this.good.baseUrl());
			try (RunningGateway running = start(instances, "2s")) {
				for (int i = 0; i < 10; i++) {
					assertThat(post(running, "service")).isEqualTo("ok");
				}
				this.good.verify(10, postRequestedFor(urlEqualTo("/service")));
				assertThat(running.upstreamEvents("retries")).isZero();
			}
		}
	}

	@Test
	void theLastInstanceTakesAllWhateverItsCheckSays() throws Exception {
		assertThat(post(this.running, "last")).isEqualTo("ok");
		assertThat(this.running.upstreamEvents("ejections", "upstream", "last")).isZero();
	}

	@Test
	void anUpstreamCanHaveAPathOfItsOwnOrNoCheck() throws Exception {
		assertThat(post(this.running, "own")).isEqualTo("ok");
		this.bad.verify(getRequestedFor(urlEqualTo("/health/own")));
		assertThat(this.unchecked.pendingRequests()).isZero();
	}

	@Test
	void instancesThatComeWithARefreshAreChecked() throws Exception {
		Map<String, Object> changed = new HashMap<>();
		changed.put("gateway-bench.upstreams.changing.instances", this.good.baseUrl() + "," + this.bad.baseUrl());
		this.running.context()
			.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("changed", changed));
		this.running.context().publishEvent(new EnvironmentChangeEvent(this.running.context(), changed.keySet()));
		await(this.running, "ejections", "changing");
		for (int i = 0; i < 4; i++) {
			assertThat(post(this.running, "changing")).isEqualTo("ok");
		}
		this.bad.verify(0, postRequestedFor(urlEqualTo("/changing")));
	}

	private RunningGateway start(List<String> instances, String timeout) {
		return this.gateway.startWithRoute(instances, HEALTH_CHECK + "enabled=true", HEALTH_CHECK + "interval=200ms",
				HEALTH_CHECK + "timeout=" + timeout);
	}

	/**
	 * What is sent to a route has its name behind the prefix, too: instances can tell
	 * which test it is of.
	 */
	private static String post(RunningGateway running, String route) throws IOException {
		String request = TimeoutsContract.post("abc").replace("/service/x", "/%s/%s".formatted(route, route));
		return HttpExchange.send(running.port(), request).text();
	}

	private static void await(RunningGateway running, String meter, String upstream) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(running.upstreamEvents(meter, "upstream", upstream)).isPositive());
	}

}
