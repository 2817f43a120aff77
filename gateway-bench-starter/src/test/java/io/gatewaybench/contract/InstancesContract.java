package io.gatewaybench.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.filter.GatewayHeadersCustomizer;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.Upstreams;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.http.HttpHeaders;

import static io.gatewaybench.contract.TwoInstances.EJECTION;
import static io.gatewaybench.contract.TwoInstances.ERROR;
import static io.gatewaybench.contract.TwoInstances.OK;
import static io.gatewaybench.contract.TwoInstances.get;
import static io.gatewaybench.contract.TwoInstances.statuses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which instances take requests: how one is ejected and comes back, weights, and changes
 * of the configuration.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstancesContract {

	private final Gateway gateway;

	private TwoInstances instances;

	private TwoInstances stopped;

	private TwoInstances last;

	/**
	 * With a route for each test. An ejection lasts longer than that.
	 */
	private RunningGateway running;

	/**
	 * With a route for each test. An ejection is over soon.
	 */
	private RunningGateway recovering;

	/**
	 * With a route for each test. The instance with the fewest requests takes the next
	 * one.
	 */
	private RunningGateway leastRequests;

	InstancesContract(Gateway gateway) {
		this.gateway = gateway;
	}

	/**
	 * Instances that a test stops are in front of no other one: it would meet connections
	 * that are closed.
	 */
	@BeforeAll
	void start() throws IOException {
		this.instances = new TwoInstances(this.gateway);
		this.stopped = new TwoInstances(this.gateway);
		this.last = new TwoInstances(this.gateway);
		List<String> all = this.instances.routes("breaking", "failing", "closing");
		// The bad one reaches two failures first, so the good one is the last
		all.addAll(Gateway.route(3, "last-route", "last", List.of(this.last.good().url(), this.last.bad().url())));
		all.addAll(Gateway.route(4, "weighted-route", "weighted", List.of()));
		String weighted = "gateway-bench.upstreams.weighted.instances";
		all.addAll(List.of(weighted + "[0].url=" + this.instances.good().url(), weighted + "[0].weight=3",
				weighted + "[1]=" + this.instances.bad().url()));
		all.addAll(Gateway.route(5, "changing-route", "changing", List.of(this.instances.good().url())));
		all.addAll(List.of(EJECTION + "include-5xx=true", EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=1m"));
		this.running = this.gateway.start(all.toArray(String[]::new));
		all = this.stopped.routes("stopped");
		all.addAll(Gateway.route(1, "slow-route", "slow",
				List.of(this.instances.bad().url(), this.instances.good().url())));
		all.addAll(List.of("gateway-bench.upstreams.slow.timeouts.response=1s", EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=1s"));
		this.recovering = this.gateway.start(all.toArray(String[]::new));
		all = this.instances.routes("silent", "short");
		all.add("gateway-bench.load-balancing.policy=least-requests");
		this.leastRequests = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.recovering.close();
		this.leastRequests.close();
		this.instances.close();
		this.stopped.close();
		this.last.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.instances.startOver();
	}

	@Test
	void anInstanceThatDoesNotAnswerIsSparedAfterAFewRequestsAndTriedAgain() throws Exception {
		this.instances.bad().answer(OK);
		// A cold gateway might be too slow for the retry
		for (int i = 0; i < 10; i++) {
			assertThat(get(this.recovering, "slow").text()).isEqualTo("ok");
		}
		int before = this.instances.bad().pendingRequests();
		this.instances.bad().answer((out) -> this.instances.await());
		for (int i = 0; i < 10; i++) {
			assertThat(get(this.recovering, "slow").text()).isEqualTo("ok");
		}
		assertThat(this.recovering.upstreamEvents("ejections", "upstream", "slow")).isEqualTo(1);
		assertThat(this.instances.bad().pendingRequests() - before).isBetween(2, 4);
		this.instances.bad().answer(OK);
		this.instances.endWaiting();
		awaitRecovery("slow");
	}

	@Test
	void anInstanceThatWasStoppedTakesItsTurnsAgainWhenItIsBack() throws Exception {
		this.stopped.bad().close();
		for (int i = 0; i < 6; i++) {
			assertThat(get(this.recovering, "stopped").text()).isEqualTo("ok");
		}
		assertThat(this.recovering.upstreamEvents("ejections", "upstream", "stopped")).isEqualTo(1);
		assertThat(this.recovering.upstreamEvents("recoveries", "upstream", "stopped")).isZero();
		this.stopped.restartBad();
		awaitRecovery("stopped");
		int before = this.stopped.bad().pendingRequests();
		for (int i = 0; i < 10; i++) {
			assertThat(get(this.recovering, "stopped").text()).isEqualTo("ok");
		}
		assertThat(this.stopped.bad().pendingRequests() - before).isEqualTo(5);
	}

	@Test
	void anInstanceThatBreaksOffItsResponsesIsEjected() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		List<Integer> statuses = statuses(this.running,
				TimeoutsContract.post("abc").replace("/service/x", "/breaking/x"), 12);
		assertThat(statuses).containsOnly(200, 502).filteredOn((status) -> status == 502).hasSize(2);
		assertThat(this.running.upstreamEvents("ejections", "upstream", "breaking")).isEqualTo(1);
	}

	@Test
	void anErrorThatCountsAsAFailureEjectsTheInstanceAndAnotherOneAnswers() throws Exception {
		this.instances.bad().answer(ERROR);
		for (int i = 0; i < 20; i++) {
			Message response = get(this.running, "failing");
			assertThat(response.text()).isEqualTo("ok");
			assertThat(response.headers("From")).isEmpty();
		}
		assertThat(this.running.upstreamEvents("retries", "upstream", "failing")).isEqualTo(2);
		assertThat(this.running.upstreamEvents("ejections", "upstream", "failing")).isEqualTo(1);
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(2);
	}

	@Test
	void theLastInstanceIsNeverEjected() throws Exception {
		this.last.good().close();
		this.last.bad().close();
		for (int i = 0; i < 5; i++) {
			Problems.assertProblem(get(this.running, "last"), 502, Problems.REFUSED);
		}
		assertThat(this.running.upstreamEvents("ejections", "upstream", "last")).isEqualTo(1);
		this.last.restartGood();
		assertThat(get(this.running, "last").text()).isEqualTo("ok");
	}

	@Test
	void connectionsThatCloseAfterEachResponseAreNoFailure() throws Exception {
		this.instances.bad().answer((out) -> {
			out.write(OK.getBytes());
			out.flush();
			throw new IOException("Closed by the test");
		});
		for (int i = 0; i < 40; i++) {
			assertThat(get(this.running, "closing").text()).isEqualTo("ok");
		}
		assertThat(this.running.upstreamEvents("ejections", "upstream", "closing")).isZero();
	}

	@Test
	void aHeavyInstanceTakesMoreRequests() throws Exception {
		for (int i = 0; i < 12; i++) {
			get(this.running, "weighted");
		}
		assertThat(this.instances.good().pendingRequests()).isEqualTo(9);
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(3);
	}

	@Test
	void instancesChangeWhenTheConfigurationIsRefreshed() throws Exception {
		get(this.running, "changing");
		change(this.running, "changing", this.instances.bad().url());
		get(this.running, "changing");
		get(this.running, "changing");
		assertThat(this.instances.good().pendingRequests()).isEqualTo(1);
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(2);
		change(this.running, "changing", "ftp://nowhere");
		assertThat(get(this.running, "changing").text()).isEqualTo("ok");
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(3);
	}

	@Test
	void anInstanceThatDoesNotAnswerTakesFewRequestsWhereThePolicyIsLeastRequests() throws Exception {
		this.instances.bad().answer((out) -> {
			this.instances.await();
			out.write(OK.getBytes());
		});
		CompletableFuture<Message> waiting = requestAtTheBadInstance();
		for (int i = 0; i < 20; i++) {
			// The client may have its response a moment before the exchange ends
			Awaitility.await().until(() -> requests("silent", this.instances.good()) == 0);
			assertThat(get(this.leastRequests, "silent").text()).isEqualTo("ok");
		}
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(1);
		this.instances.endWaiting();
		assertThat(waiting.get(20, TimeUnit.SECONDS).text()).isEqualTo("ok");
		Awaitility.await().untilAsserted(() -> {
			assertThat(get(this.leastRequests, "silent").text()).isEqualTo("ok");
			assertThat(this.instances.bad().pendingRequests()).isGreaterThan(1);
		});
	}

	/**
	 * Requests in between give the gateway the time to begin with the slow one.
	 */
	@Test
	void aClientThatIsSlowWithAShortBodyKeepsNoInstance() throws Exception {
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.leastRequests.port())) {
			client.getOutputStream()
				.write("POST /short/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\na".getBytes());
			for (int i = 0; i < 20; i++) {
				assertThat(get(this.leastRequests, "short").text()).isEqualTo("ok");
			}
			Awaitility.await()
				.until(() -> requests("short", this.instances.good()) + requests("short", this.instances.bad()) == 0);
			client.getOutputStream().write('b');
			assertThat(Message.read(client.getInputStream(), false, () -> {
			}).text()).isEqualTo("ok");
		}
	}

	private int requests(String upstream, RawUpstream instance) {
		return this.leastRequests.context()
			.getBean(Upstreams.class)
			.get(URI.create("rr://" + upstream))
			.status()
			.stream()
			.filter((status) -> status.instance().equals(instance.url()))
			.mapToInt(InstanceStatus::requests)
			.sum();
	}

	private CompletableFuture<Message> requestAtTheBadInstance() {
		while (true) {
			CompletableFuture<Message> request = CompletableFuture.supplyAsync(() -> {
				try {
					return get(this.leastRequests, "silent");
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
			Awaitility.await().until(() -> request.isDone() || this.instances.bad().pendingRequests() > 0);
			if (!request.isDone()) {
				return request;
			}
		}
	}

	@Test
	void aBeanOfTheApplicationChoosesTheInstance() throws Exception {
		try (RunningGateway running = this.instances.start("spring.main.sources=" + LastInstance.class.getName())) {
			for (int i = 0; i < 4; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.good().pendingRequests()).isEqualTo(4);
		}
	}

	@Test
	void aCustomizerOfHeadersIsAskedForEachAttemptAndItsResponse() throws Exception {
		List<String> properties = this.instances.routes("answering", "breaking");
		properties
			.addAll(List.of("spring.main.sources=" + NumberedRequests.class.getName(), EJECTION + "include5xx=true"));
		try (RunningGateway running = this.gateway.start(properties.toArray(String[]::new))) {
			this.instances.bad().answer(ERROR);
			assertThatNumbersAre(running, "answering", "1", "2", "2");
			this.instances.bad().answer((out) -> {
				throw new IOException("Closed by the test");
			});
			// An attempt without a response
			assertThatNumbersAre(running, "breaking", "3", "4", "3");
		}
	}

	private void assertThatNumbersAre(RunningGateway running, String route, String bad, String good, String response)
			throws Exception {
		assertThat(HttpExchange
			.send(running.port(),
					"GET /%s/x HTTP/1.1\r\nHost: gateway\r\nX-Number: client\r\nConnection: close\r\n\r\n"
						.formatted(route))
			.headers("X-Number")).containsExactly(response);
		assertThat(this.instances.bad().request().headers("X-Number")).containsExactly("client", bad);
		assertThat(this.instances.good().request().headers("X-Number")).containsExactly("client", good);
	}

	@Test
	void whereRoundRobinIsOffTheFirstInstanceTakesAllAfterARefreshToo() throws Exception {
		this.instances.bad().answer(OK);
		try (RunningGateway running = this.instances.start("gateway-bench.load-balancing.enabled=false")) {
			change(running, "service", this.instances.bad().url(), this.instances.good().url());
			for (int i = 0; i < 4; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(4);
		}
	}

	private static void change(RunningGateway running, String upstream, String... instances) {
		Map<String, Object> changed = new HashMap<>();
		for (int i = 0; i < instances.length; i++) {
			changed.put("gateway-bench.upstreams.%s.instances[%d]".formatted(upstream, i), instances[i]);
		}
		running.context().getEnvironment().getPropertySources().remove("changed");
		running.context().getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
		running.context().publishEvent(new EnvironmentChangeEvent(running.context(), changed.keySet()));
	}

	private void awaitRecovery(String upstream) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(get(this.recovering, upstream).text()).isEqualTo("ok");
			assertThat(this.recovering.upstreamEvents("recoveries", "upstream", upstream)).isEqualTo(1);
		});
	}

	/**
	 * Tells the number of the call, beside what was there before.
	 */
	@Configuration(proxyBeanMethods = false)
	static class NumberedRequests {

		@Bean
		GatewayHeadersCustomizer numbers() {
			AtomicInteger requests = new AtomicInteger();
			AtomicInteger responses = new AtomicInteger();
			return new GatewayHeadersCustomizer() {

				@Override
				public void customizeRequest(String route, HttpHeaders headers) {
					headers.add("X-Number", String.valueOf(requests.incrementAndGet()));
				}

				@Override
				public void customizeResponse(String route, HttpHeaders headers) {
					headers.add("X-Number", String.valueOf(responses.incrementAndGet()));
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LastInstance {

		@Bean
		InstanceChooser lastInstance() {
			return (candidates, request) -> candidates.size() - 1;
		}

	}

}
