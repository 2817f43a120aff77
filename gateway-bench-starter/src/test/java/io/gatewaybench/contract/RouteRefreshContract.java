package io.gatewaybench.contract;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.routing.GatewayRoutes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Routes of the starter that change while the gateway runs.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteRefreshContract {

	private static final int CLIENTS = 4;

	private static final String INDEX = "gateway-bench.route-index.enabled=";

	/** Reactor Netty keeps the route of the request for which it made a pool. */
	private static final int MAY_BE_KEPT = 2;

	private final Gateway gateway;

	private final ExecutorService clients = Executors.newCachedThreadPool();

	private RawUpstream first;

	private RawUpstream second;

	RouteRefreshContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.first = new RawUpstream();
		this.second = new RawUpstream();
		startOver();
	}

	@AfterEach
	void startOver() throws IOException {
		this.first.startOver();
		this.second.startOver();
		this.first.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
		this.second.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
	}

	@AfterAll
	void stop() throws IOException {
		this.clients.shutdownNow();
		this.first.close();
		this.second.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void routesComeChangeAndGoWithoutAFailedRequest(boolean indexed, @TempDir Path directory) throws Exception {
		AtomicInteger answered = new AtomicInteger();
		AtomicBoolean stopped = new AtomicBoolean();
		Queue<String> wrong = new ConcurrentLinkedQueue<>();
		Path file = directory.resolve("gateway.properties");
		write(file, generation(0));
		try (RunningGateway running = this.gateway.start("spring.config.import=file:" + file, INDEX + indexed,
				"management.endpoints.web.exposure.include=refresh")) {
			List<Future<?>> ended = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				String path = (i % 2 == 0) ? "/stays/x" : "/changes/x";
				ended.add(this.clients.submit(() -> {
					HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
					while (!stopped.get()) {
						check(client, running.port(), path, wrong);
						answered.incrementAndGet();
					}
				}));
			}
			List<WeakReference<Object>> replaced = new ArrayList<>();
			for (int i = 1; i <= 6; i++) {
				running.context()
					.getBean(GatewayRoutes.class)
					.routes()
					.forEach((route) -> replaced.add(new WeakReference<>(route)));
				write(file, generation(i));
				assertThat(HttpExchange
					.send(running.port(),
							"POST /actuator/refresh HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
									+ "Content-Length: 0\r\n\r\n")
					.status()).isEqualTo(200);
				assertThat(get(running, "/changes/x")).isEqualTo((i % 2 == 0) ? "200 first" : "200 second");
				assertThat(get(running, "/only-%d/x".formatted(i))).isEqualTo("200 first");
				assertThat(get(running, "/only-%d/x".formatted(i - 1))).startsWith("404");
				int before = answered.get();
				Awaitility.await()
					.pollInterval(Duration.ofMillis(2))
					.atMost(Duration.ofSeconds(30))
					.until(() -> answered.get() >= before + 20 || !wrong.isEmpty());
			}
			stopped.set(true);
			for (Future<?> client : ended) {
				client.get(30, TimeUnit.SECONDS);
			}
			assertThat(wrong).isEmpty();
			Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				System.gc();
				assertThat(replaced.stream().map(WeakReference::get).filter(Objects::nonNull).map(Object::toString))
					.hasSizeLessThanOrEqualTo(MAY_BE_KEPT);
			});
		}
		finally {
			stopped.set(true);
		}
	}

	private static void check(HttpClient client, int port, String path, Queue<String> wrong) {
		try {
			HttpResponse<String> response = client.send(
					HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path))).build(),
					BodyHandlers.ofString());
			boolean expected = response.body().equals("first")
					|| (path.startsWith("/changes") && response.body().equals("second"));
			if (response.statusCode() != 200 || !expected) {
				wrong.add(path + " " + response.statusCode() + " " + response.body());
			}
		}
		catch (IOException | InterruptedException ex) {
			wrong.add(path + " " + ex);
		}
	}

	/**
	 * One route that stays, one that leads to another upstream each time, and one that
	 * only this generation has.
	 */
	private Map<String, Object> generation(int generation) {
		Map<String, Object> properties = upstreams();
		route(properties, 0, "stays", "first");
		route(properties, 1, "only-" + generation, "first");
		route(properties, 2, "changes", (generation % 2 == 0) ? "first" : "second");
		return properties;
	}

	private Map<String, Object> upstreams() {
		Map<String, Object> properties = new HashMap<>();
		properties.put("gateway-bench.upstreams.first.instances[0]", this.first.url());
		properties.put("gateway-bench.upstreams.second.instances[0]", this.second.url());
		return properties;
	}

	private static void route(Map<String, Object> properties, int index, String id, String upstream) {
		String route = "gateway-bench.routes[%d].".formatted(index);
		properties.put(route + "id", id);
		properties.put(route + "path", "/%s/**".formatted(id));
		properties.put(route + "upstream", upstream);
	}

	private static void write(Path file, Map<String, Object> properties) throws IOException {
		Files.write(file, properties.entrySet().stream().map(Object::toString).toList());
	}

	private static String get(RunningGateway running, String target) throws IOException {
		Message response = HttpExchange.get(running.port(), target);
		return response.status() + " " + response.text();
	}

	@Test
	void aRefreshWithAnErrorChangesNothingAndIsToldOnce(CapturedOutput output) throws Exception {
		try (RunningGateway running = start(generation(0))) {
			Map<String, String> errors = Map.of("routes[1].id", "stays", "routes[1].upstream", "nobody",
					"routes[1].path", "/{broken", "routes[1].strip-prefix", "many", "routes[1].upstraem", "first",
					"upstreams.second.instances[0]", "no-url");
			for (Map.Entry<String, String> error : errors.entrySet()) {
				Map<String, Object> changed = generation(1);
				// The instances of the other upstream would change, too
				changed.put("gateway-bench.upstreams.first.instances[0]", this.second.url());
				changed.put("gateway-bench." + error.getKey(), error.getValue());
				int before = output.getOut().length();
				change(running, changed);
				change(running, changed);
				String told = output.getOut().substring(before);
				assertThat(told).containsOnlyOnce(" are ignored, as they cannot work")
					.contains("gateway-bench." + error.getKey())
					.contains("ERROR");
				assertThat(get(running, "/changes/x")).isEqualTo("200 first");
				assertThat(get(running, "/only-0/x")).isEqualTo("200 first");
				assertThat(get(running, "/only-1/x")).startsWith("404");
			}
			change(running, generation(1));
			assertThat(get(running, "/changes/x")).isEqualTo("200 second");
			assertThat(get(running, "/only-1/x")).isEqualTo("200 first");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					third  | third  | This upstream is new, and new upstreams need a restart of the gateway.
					second |        | There is no upstream of this name. Add it to 'gateway-bench.upstreams', or use one of [first].
					""")
	void aRouteLeadsOnlyToUpstreamsThatAreThereAndStay(String upstream, String added, String reason,
			CapturedOutput output) throws Exception {
		try (RunningGateway running = start(generation(0))) {
			Map<String, Object> changed = new HashMap<>();
			changed.put("gateway-bench.upstreams.first.instances[0]", this.first.url());
			if (added != null) {
				changed.put("gateway-bench.upstreams.%s.instances[0]".formatted(added), this.second.url());
			}
			route(changed, 0, "new", upstream);
			change(running, changed);
			assertThat(output).contains("gateway-bench.routes[0].upstream").contains(reason);
			assertThat(get(running, "/stays/x")).isEqualTo("200 first");
			assertThat(get(running, "/new/x")).startsWith("404");
		}
	}

	@Test
	void aResponseOfARouteThatGoesEndsWhole() throws Exception {
		CountDownLatch removed = new CountDownLatch(1);
		this.first.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfi".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(removed);
			out.write("rst".getBytes(StandardCharsets.US_ASCII));
		});
		try (RunningGateway running = start(generation(0))) {
			CountDownLatch begun = new CountDownLatch(1);
			Future<Message> response = this.clients.submit(
					() -> HttpExchange.send(running.port(), HttpExchange.getRequest("/only-0/x"), begun::countDown));
			assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
			change(running, generation(1));
			assertThat(get(running, "/only-0/x")).startsWith("404");
			removed.countDown();
			assertThat(response.get(20, TimeUnit.SECONDS).text()).isEqualTo("first");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void thousandsOfRoutesComeWithOneRefresh(boolean indexed) throws Exception {
		try (RunningGateway running = start(generation(0), INDEX + indexed)) {
			Map<String, Object> many = upstreams();
			IntStream.range(0, 2_000).forEach((i) -> route(many, i, "r" + i, "first"));
			change(running, many);
			assertThat(get(running, "/r0/x")).isEqualTo("200 first");
			assertThat(get(running, "/r1999/x")).isEqualTo("200 first");
			assertThat(get(running, "/stays/x")).startsWith("404");
			change(running, upstreams());
			assertThat(get(running, "/r0/x")).startsWith("404");
			assertThat(running.context().getBean(GatewayRoutes.class).routes()).isEmpty();
		}
	}

	@Test
	void whatHasNotChangedIsNotBuiltAnew() throws Exception {
		try (RunningGateway running = start(generation(0))) {
			RouteIndexHolder<?> holder = running.context().getBean(RouteIndexHolder.class);
			Object before = holder.get();
			Map<String, Object> changed = generation(0);
			changed.put("gateway-bench.upstreams.first.instances[0]", this.second.url());
			change(running, changed);
			assertThat(get(running, "/stays/x")).isEqualTo("200 second");
			assertThat(holder.get()).isSameAs(before);
			change(running, generation(1));
			assertThat(holder.get()).isNotSameAs(before);
		}
	}

	@Test
	void ofRefreshesAtTheSameTimeTheLastOneStays() throws Exception {
		try (RunningGateway running = start(generation(0))) {
			for (int i = 1; i <= 20; i++) {
				replace(running, generation(i));
				Callable<Void> refresh = () -> {
					publish(running);
					return null;
				};
				for (Future<Void> refreshed : this.clients.invokeAll(List.of(refresh, refresh))) {
					refreshed.get(20, TimeUnit.SECONDS);
				}
				assertThat(get(running, "/only-%d/x".formatted(i))).isEqualTo("200 first");
				assertThat(get(running, "/only-%d/x".formatted(i - 1))).startsWith("404");
			}
		}
	}

	private RunningGateway start(Map<String, Object> routes, String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		// What changes replaces it as a whole
		routes.entrySet().stream().map(Object::toString).forEach(properties::add);
		return this.gateway.start(properties.toArray(String[]::new));
	}

	private static void change(RunningGateway running, Map<String, Object> properties) {
		replace(running, properties);
		publish(running);
	}

	private static void replace(RunningGateway running, Map<String, Object> properties) {
		MutablePropertySources sources = running.context().getEnvironment().getPropertySources();
		sources.remove("commandLineArgs");
		MapPropertySource source = new MapPropertySource("changed", properties);
		if (sources.contains("changed")) {
			sources.replace("changed", source);
		}
		else {
			sources.addFirst(source);
		}
	}

	private static void publish(RunningGateway running) {
		running.context().publishEvent(new EnvironmentChangeEvent(running.context(), Set.of()));
	}

}
