package io.gatewaybench.contract;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances that a registry or DNS tells: they come, go, and are there again, and the
 * registry has faults of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s";

	private final Gateway gateway;

	private RawUpstream first;

	private RawUpstream second;

	private RunningGateway running;

	DiscoveryContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.first = new RawUpstream();
		this.second = new RawUpstream();
		List<String> all = new ArrayList<>();
		String[] services = { "simple", "changing", "kept", "failing", "hanging", "late", "wrong", "refreshed" };
		for (int i = 0; i < services.length; i++) {
			all.addAll(Gateway.route(i, services[i], services[i], List.of()));
			all.add("gateway-bench.upstreams.%s.service-id=the-%s".formatted(services[i], services[i]));
			Registry.has("the-" + services[i], this.first);
		}
		Registry.has("the-simple");
		Registry.has("the-late");
		all.add("spring.cloud.discovery.client.simple.instances.the-simple[0].uri=" + this.first.url());
		all.addAll(Gateway.route(services.length, "named", "named", List.of("http://localhost:" + this.first.port())));
		all.add("gateway-bench.upstreams.named.resolve=all");
		all.add("gateway-bench.load-balancing.lookup-interval=20ms");
		all.add("spring.main.sources=" + Registry.class.getName());
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.first.close();
		this.second.close();
		Registry.SERVICES.clear();
	}

	@BeforeEach
	void answer() throws IOException {
		this.first.startOver();
		this.first.answer(OK.formatted(5, "first"));
		this.second.startOver();
		this.second.answer(OK.formatted(6, "second"));
	}

	@Test
	void theInstancesOfAServiceTakeItsRequestsFromTheStartOn() throws Exception {
		assertThat(get("simple").text()).isEqualTo("first");
		assertThat(get("changing").text()).isEqualTo("first");
	}

	@Test
	void eachAddressOfANameIsAnInstance() throws Exception {
		assertThat(instances("named")).contains("http://127.0.0.1:" + this.first.port())
			.noneMatch((instance) -> instance.contains("localhost"));
		assertThat(get("named").text()).isEqualTo("first");
		assertThat(this.first.request().header("Host")).isEqualTo("127.0.0.1:" + this.first.port());
	}

	@Test
	void anInstanceThatComesTakesRequestsAndOneThatGoesTakesNone() throws Exception {
		Registry.has("the-changing", this.first, this.second);
		awaitInstances("changing", this.first, this.second);
		assertThat(List.of(get("changing").text(), get("changing").text())).containsExactlyInAnyOrder("first",
				"second");
		Registry.has("the-changing", this.second);
		awaitInstances("changing", this.second);
		assertThat(List.of(get("changing").text(), get("changing").text())).containsOnly("second");
	}

	@Test
	void anInstanceThatStaysKeepsItsState() {
		Registry.has("the-kept", this.first, this.second);
		awaitInstances("kept", this.first, this.second);
		assertThat(upstream("kept").takeOutOfService(Instance.parse(this.first.url()))).isTrue();
		Registry.SERVICES.put("the-kept",
				() -> Stream
					.concat(Registry.instances(this.first, this.second).stream(),
							Stream.of(new DefaultServiceInstance("a", "b", "127.0.0.2", this.first.port(), false)))
					.toList());
		Awaitility.await().until(() -> upstream("kept").status().size() == 3);
		assertThat(upstream("kept").status())
			.filteredOn((status) -> status.state() == InstanceStatus.State.OUT_OF_SERVICE)
			.extracting(InstanceStatus::instance)
			.containsExactly(this.first.url());
	}

	@Test
	void aRegistryThatFailsOrIsEmptyTakesNothingAway() throws Exception {
		for (Supplier<List<ServiceInstance>> fault : List.<Supplier<List<ServiceInstance>>>of(List::of, () -> {
			throw new IllegalStateException("Closed by the test");
		})) {
			CountDownLatch asked = new CountDownLatch(3);
			Registry.SERVICES.put("the-failing", () -> {
				asked.countDown();
				return fault.get();
			});
			asked.await();
			assertThat(get("failing").text()).isEqualTo("first");
		}
		Registry.has("the-failing", this.second);
		awaitInstances("failing", this.second);
	}

	@Test
	void aRegistryThatHangsHoldsUpNeitherRequestsNorOtherServices() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Registry.SERVICES.put("the-hanging", () -> {
			asked.countDown();
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return Registry.instances(this.second);
		});
		asked.await();
		assertThat(get("hanging").text()).isEqualTo("first");
		Registry.has("the-refreshed", this.second);
		awaitInstances("refreshed", this.second);
		end.countDown();
		awaitInstances("hanging", this.second);
	}

	@Test
	void beforeThereIsAnInstanceRequestsGet503() throws Exception {
		Message response = get("late");
		assertThat(response.status()).isEqualTo(503);
		assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(response.text()).contains("There is no instance for this request.");
		Registry.has("the-late", this.first);
		awaitInstances("late", this.first);
		assertThat(get("late").text()).isEqualTo("first");
	}

	@Test
	void anInstanceThatIsRegisteredWronglyKeepsNoOtherOut() {
		Registry.SERVICES.put("the-wrong",
				() -> List.of(new DefaultServiceInstance("a", "wrong", "evil.example/@127.0.0.1", 80, false),
						new DefaultServiceInstance("b", "wrong", null, 80, false),
						Registry.instances(this.second).get(0)));
		awaitInstances("wrong", this.second);
	}

	@Test
	void aRefreshOfTheConfigurationLeavesThemToTheRegistry() throws Exception {
		Registry.has("the-refreshed", this.first);
		awaitInstances("refreshed", this.first);
		System.setProperty("gateway-bench.upstreams.named.instances[0].url", this.second.url());
		try {
			this.running.context().publishEvent(new EnvironmentChangeEvent(this.running.context(), Set.of("any")));
		}
		finally {
			System.clearProperty("gateway-bench.upstreams.named.instances[0].url");
		}
		assertThat(get("refreshed").text()).isEqualTo("first");
		assertThat(instances("named")).contains("http://127.0.0.1:" + this.first.port());
	}

	private Message get(String route) throws IOException {
		return HttpExchange.get(this.running.port(), "/" + route + "/x");
	}

	private Upstream upstream(String name) {
		return this.running.context().getBean(Upstreams.class).get(URI.create("rr://" + name));
	}

	private List<String> instances(String name) {
		return upstream(name).status().stream().map(InstanceStatus::instance).toList();
	}

	private void awaitInstances(String name, RawUpstream... expected) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(instances(name))
				.containsExactlyInAnyOrderElementsOf(Stream.of(expected).map(RawUpstream::url).toList()));
	}

	/**
	 * A registry of the application, asked before the simple one.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Registry {

		private static final Map<String, Supplier<List<ServiceInstance>>> SERVICES = new ConcurrentHashMap<>();

		static void has(String service, RawUpstream... instances) {
			SERVICES.put(service, () -> instances(instances));
		}

		static List<ServiceInstance> instances(RawUpstream... instances) {
			return Stream.of(instances)
				.<ServiceInstance>map(
						(instance) -> new DefaultServiceInstance("id", "service", "127.0.0.1", instance.port(), false))
				.toList();
		}

		@Bean
		DiscoveryClient registryOfTheTest() {
			return new DiscoveryClient() {

				@Override
				public String description() {
					return "Registry of the test";
				}

				@Override
				public List<ServiceInstance> getInstances(String service) {
					return SERVICES.getOrDefault(service, List::of).get();
				}

				@Override
				public List<String> getServices() {
					return List.copyOf(SERVICES.keySet());
				}

			};
		}

	}

}
