package io.gatewaybench.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.Upstreams;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import static io.gatewaybench.contract.TwoInstances.EJECTION;
import static io.gatewaybench.contract.TwoInstances.ERROR;
import static io.gatewaybench.contract.TwoInstances.OK;
import static io.gatewaybench.contract.TwoInstances.UPSTREAM;
import static io.gatewaybench.contract.TwoInstances.get;
import static io.gatewaybench.contract.TwoInstances.statuses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which instances take requests: how one is ejected and comes back, weights, and changes
 * of the configuration.
 */
class InstancesContract {

	private final Gateway gateway;

	private TwoInstances instances;

	InstancesContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startInstances() throws IOException {
		this.instances = new TwoInstances(this.gateway);
	}

	@AfterEach
	void stopInstances() throws IOException {
		this.instances.close();
	}

	@Test
	void anInstanceThatDoesNotAnswerIsSparedAfterAFewRequestsAndTriedAgain() throws Exception {
		this.instances.bad().answer(OK);
		try (RunningGateway running = this.instances.start(UPSTREAM + "timeouts.response=1s",
				EJECTION + "consecutive-failures=2", EJECTION + "base-ejection-time=1s")) {
			// A cold gateway might be too slow for the retry
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			int before = this.instances.bad().pendingRequests();
			this.instances.bad().answer((out) -> this.instances.await());
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(this.instances.bad().pendingRequests() - before).isBetween(2, 4);
			this.instances.bad().answer(OK);
			this.instances.endWaiting();
			awaitRecovery(running);
		}
	}

	@Test
	void anInstanceThatWasStoppedTakesItsTurnsAgainWhenItIsBack() throws Exception {
		try (RunningGateway running = this.instances.start(EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=100ms")) {
			this.instances.bad().close();
			for (int i = 0; i < 6; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(running.upstreamEvents("recoveries")).isZero();
			this.instances.restartBad();
			awaitRecovery(running);
			int before = this.instances.bad().pendingRequests();
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.bad().pendingRequests() - before).isEqualTo(5);
		}
	}

	@Test
	void anInstanceThatBreaksOffItsResponsesIsEjected() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		try (RunningGateway running = this.instances.start(EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=1m")) {
			List<Integer> statuses = statuses(running, TimeoutsContract.post("abc"), 12);
			assertThat(statuses).containsOnly(200, 502).filteredOn((status) -> status == 502).hasSize(2);
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
		}
	}

	@Test
	void anErrorThatCountsAsAFailureEjectsTheInstanceAndAnotherOneAnswers() throws Exception {
		this.instances.bad().answer(ERROR);
		try (RunningGateway running = this.instances.start(EJECTION + "include-5xx=true",
				EJECTION + "consecutive-failures=2", EJECTION + "base-ejection-time=1m")) {
			for (int i = 0; i < 20; i++) {
				Message response = get(running);
				assertThat(response.text()).isEqualTo("ok");
				assertThat(response.headers("From")).isEmpty();
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(2);
		}
	}

	@Test
	void theLastInstanceIsNeverEjected() throws Exception {
		try (RunningGateway running = this.instances.start(EJECTION + "consecutive-failures=1",
				EJECTION + "base-ejection-time=1m")) {
			this.instances.good().close();
			this.instances.bad().close();
			for (int i = 0; i < 5; i++) {
				Problems.assertProblem(get(running), 502, Problems.REFUSED);
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			this.instances.restartGood();
			assertThat(get(running).text()).isEqualTo("ok");
		}
	}

	@Test
	void connectionsThatCloseAfterEachResponseAreNoFailure() throws Exception {
		this.instances.bad().answer((out) -> {
			out.write(OK.getBytes());
			out.flush();
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = this.instances.start()) {
			for (int i = 0; i < 40; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@Test
	void aHeavyInstanceTakesMoreRequests() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(),
				UPSTREAM + "instances[0].url=" + this.instances.good().url(), UPSTREAM + "instances[0].weight=3",
				UPSTREAM + "instances[1]=" + this.instances.bad().url())) {
			for (int i = 0; i < 12; i++) {
				get(running);
			}
			assertThat(this.instances.good().pendingRequests()).isEqualTo(9);
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(3);
		}
	}

	@Test
	void anInstanceThatDoesNotAnswerTakesFewRequestsWhereThePolicyIsLeastRequests() throws Exception {
		this.instances.bad().answer((out) -> {
			this.instances.await();
			out.write(OK.getBytes());
		});
		try (RunningGateway running = this.instances.start("gateway-bench.load-balancing.policy=least-requests")) {
			CompletableFuture<Message> waiting = requestAtTheBadInstance(running);
			for (int i = 0; i < 20; i++) {
				// The client may have its response a moment before the exchange ends
				Awaitility.await().until(() -> requests(running, this.instances.good()) == 0);
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(1);
			this.instances.endWaiting();
			assertThat(waiting.get(20, TimeUnit.SECONDS).text()).isEqualTo("ok");
			Awaitility.await().untilAsserted(() -> {
				assertThat(get(running).text()).isEqualTo("ok");
				assertThat(this.instances.bad().pendingRequests()).isGreaterThan(1);
			});
		}
	}

	private static int requests(RunningGateway running, RawUpstream instance) {
		return running.context()
			.getBean(Upstreams.class)
			.get(URI.create("rr://service"))
			.status()
			.stream()
			.filter((status) -> status.instance().equals(instance.url()))
			.mapToInt(InstanceStatus::requests)
			.sum();
	}

	private CompletableFuture<Message> requestAtTheBadInstance(RunningGateway running) {
		while (true) {
			CompletableFuture<Message> request = CompletableFuture.supplyAsync(() -> {
				try {
					return get(running);
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
	void instancesChangeWhenTheConfigurationIsRefreshed() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.instances.good().url()))) {
			get(running);
			change(running, this.instances.bad().url());
			get(running);
			get(running);
			assertThat(this.instances.good().pendingRequests()).isEqualTo(1);
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(2);
			change(running, "ftp://nowhere");
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(3);
		}
	}

	@Test
	void whereRoundRobinIsOffTheFirstInstanceTakesAllAfterARefreshToo() throws Exception {
		this.instances.bad().answer(OK);
		try (RunningGateway running = this.instances.start("gateway-bench.load-balancing.enabled=false")) {
			change(running, this.instances.bad().url(), this.instances.good().url());
			for (int i = 0; i < 4; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.bad().pendingRequests()).isEqualTo(4);
		}
	}

	private static void change(RunningGateway running, String... instances) {
		Map<String, Object> changed = new HashMap<>();
		for (int i = 0; i < instances.length; i++) {
			changed.put(UPSTREAM + "instances[%d]".formatted(i), instances[i]);
		}
		running.context().getEnvironment().getPropertySources().remove("changed");
		running.context().getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
		running.context().publishEvent(new EnvironmentChangeEvent(running.context(), changed.keySet()));
	}

	private void awaitRecovery(RunningGateway running) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(running.upstreamEvents("recoveries")).isEqualTo(1);
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class LastInstance {

		@Bean
		InstanceChooser lastInstance() {
			return (candidates) -> candidates.size() - 1;
		}

	}

}
