package io.gatewaybench.contract;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.internal.routing.RandomRoutes;
import io.gatewaybench.internal.routing.RandomRoutes.Request;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the index of routes finds the right one, only sooner.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteIndexContract {

	private static final int CLIENTS = 4;

	/**
	 * Reactor Netty keeps a pool for each address, and with the pool the request for
	 * which it was made, and with that the route. All routes here lead to one address.
	 */
	private static final int MAY_BE_KEPT = 1;

	private static final int ROUTES = 20;

	private final Gateway gateway;

	private final WireMockServer upstream = Upstreams.wireMock();

	RouteIndexContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() {
		this.upstream.start();
		this.upstream.stubFor(any(anyUrl()).willReturn(ok()));
	}

	@AfterAll
	void stop() {
		this.upstream.stop();
	}

	@Test
	void theRoutesOfRequestsAreThoseOfAGatewayWithoutIndex() throws Exception {
		RandomRoutes random = new RandomRoutes(7, true);
		List<String> properties = new ArrayList<>();
		for (RandomRoutes.Predicate route : random.routes(60)) {
			List<String> predicates = RandomRoutes.definition(route);
			// Weights are drawn by lot
			if (!predicates.isEmpty() && predicates.stream().noneMatch((text) -> text.startsWith("Weight"))) {
				addNativeRoute(properties, predicates);
			}
		}
		properties.add("gateway-bench.upstreams.service.instances=" + this.upstream.baseUrl());
		properties.add("gateway-bench.routes[0].id=the-last");
		properties.add("gateway-bench.routes[0].path=/**");
		properties.add("gateway-bench.routes[0].upstream=service");
		List<String> routes = new ArrayList<>();
		try (RunningGateway indexed = this.gateway.start(properties.toArray(String[]::new))) {
			assertThat(index(indexed).summary().orElseThrow().indexed()).isGreaterThan(10);
			properties.add("gateway-bench.route-index.enabled=false");
			try (RunningGateway linear = this.gateway.start(properties.toArray(String[]::new))) {
				for (int i = 0; i < 300; i++) {
					Request request = random.request();
					String route = route(linear, request);
					assertThat(route(indexed, request)).as(request.toString()).isEqualTo(route);
					routes.add(route);
				}
			}
		}
		assertThat(routes.stream().distinct()).hasSizeGreaterThan(8);
	}

	private static RouteIndexHolder<?> index(RunningGateway running) {
		return running.context().getBean(RouteIndexHolder.class);
	}

	private void addNativeRoute(List<String> properties, List<String> predicates) {
		int number = (int) properties.stream().filter((property) -> property.contains(".id=")).count();
		String route = "%s.routes[%d].".formatted(this.gateway.nativePrefix(), number);
		properties.add(route + "id=r" + number);
		properties.add(route + "uri=" + this.upstream.baseUrl());
		for (int i = 0; i < predicates.size(); i++) {
			properties.add("%spredicates[%d]=%s".formatted(route, i, predicates.get(i)));
		}
		properties.add("%sfilters[0]=AddResponseHeader=X-Route,r%d".formatted(route, number));
	}

	private static String route(RunningGateway running, Request request) throws IOException {
		StringBuilder message = new StringBuilder(
				"%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 0\r\n".formatted(request.method(),
						request.path() + request.query(), request.host()));
		request.headers().forEach((name, value) -> message.append("%s: %s\r\n".formatted(name, value)));
		Message response = HttpExchange.send(running.port(), message.append("\r\n").toString());
		return response.status() + " " + response.header("X-Route");
	}

	@Test
	void requestsNeverMissARouteWhileRoutesAreReplaced() throws Exception {
		AtomicInteger generation = new AtomicInteger();
		AtomicInteger answered = new AtomicInteger();
		AtomicBoolean stopped = new AtomicBoolean();
		Queue<String> wrong = new ConcurrentLinkedQueue<>();
		ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
		String[] first = generation(0).entrySet().stream().map(Object::toString).toArray(String[]::new);
		try (RunningGateway running = this.gateway.start(first)) {
			List<WeakReference<Object>> replaced = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				Random random = new Random(i);
				clients.execute(() -> {
					HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
					while (!stopped.get()) {
						check(client, running.port(), random.nextInt(ROUTES), generation, wrong);
						answered.incrementAndGet();
					}
				});
			}
			for (int i = 1; i <= 10; i++) {
				index(running).get().routes().forEach((route) -> replaced.add(new WeakReference<>(route)));
				replaceRoutes(running, generation(i));
				generation.set(i);
				int before = answered.get();
				Awaitility.await()
					.pollInterval(Duration.ofMillis(2))
					.atMost(Duration.ofSeconds(30))
					.until(() -> answered.get() >= before + 20 || !wrong.isEmpty());
			}
			stopped.set(true);
			clients.shutdown();
			assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			assertThat(wrong).isEmpty();
			Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				System.gc();
				assertThat(replaced.stream().map(WeakReference::get).filter(Objects::nonNull).map(Object::toString))
					.hasSizeLessThanOrEqualTo(MAY_BE_KEPT);
			});
		}
		finally {
			stopped.set(true);
			clients.shutdownNow();
		}
	}

	@Test
	void aRefreshThatFailsLeavesTheRoutesAsTheyWere() throws Exception {
		String[] first = generation(0).entrySet().stream().map(Object::toString).toArray(String[]::new);
		try (RunningGateway running = this.gateway.start(first)) {
			Map<String, Object> broken = generation(1);
			broken.put(this.gateway.nativePrefix() + ".routes[3].predicates[0]", "NoSuchPredicate=/r3/**");
			try {
				replaceRoutes(running, broken);
			}
			catch (RuntimeException ex) {
				// One flavour tells whoever asked for the refresh, the other one its log
				assertThat(ex).hasStackTraceContaining("oSuchPredicate");
			}
			assertThat(HttpExchange.get(running.port(), "/r7/x").header("X-Route")).isEqualTo("r7-0");
			replaceRoutes(running, generation(2));
			assertThat(HttpExchange.get(running.port(), "/r7/x").header("X-Route")).isEqualTo("r7-2");
		}
	}

	@Test
	void nativeRoutesCanBeReplacedWithoutTheIndexToo() throws Exception {
		List<String> first = new ArrayList<>(generation(0).entrySet().stream().map(Object::toString).toList());
		first.add("gateway-bench.route-index.enabled=false");
		try (RunningGateway running = this.gateway.start(first.toArray(String[]::new))) {
			assertThat(HttpExchange.get(running.port(), "/r7/x").header("X-Route")).isEqualTo("r7-0");
			replaceRoutes(running, generation(1));
			assertThat(HttpExchange.get(running.port(), "/r7/x").header("X-Route")).isEqualTo("r7-1");
		}
	}

	/**
	 * Routes with the same paths as ever, and a header that tells them apart.
	 */
	private Map<String, Object> generation(int generation) {
		Map<String, Object> properties = new HashMap<>();
		for (int i = 0; i < ROUTES; i++) {
			String route = "%s.routes[%d].".formatted(this.gateway.nativePrefix(), i);
			properties.put(route + "id", "r%d-%d".formatted(i, generation));
			properties.put(route + "uri", this.upstream.baseUrl());
			properties.put(route + "predicates[0]", "Path=/r%d/**".formatted(i));
			properties.put(route + "filters[0]", "AddResponseHeader=X-Route,r%d-%d".formatted(i, generation));
		}
		return properties;
	}

	private static void replaceRoutes(RunningGateway running, Map<String, Object> properties) {
		ConfigurableEnvironment environment = running.context().getEnvironment();
		MapPropertySource source = new MapPropertySource("generation", properties);
		if (environment.getPropertySources().contains("generation")) {
			environment.getPropertySources().replace("generation", source);
		}
		else {
			environment.getPropertySources().addFirst(source);
		}
		running.context().publishEvent(new EnvironmentChangeEvent(running.context(), properties.keySet()));
		running.context().getBean(RefreshScope.class).refreshAll();
	}

	private static void check(HttpClient client, int port, int route, AtomicInteger generation, Queue<String> wrong) {
		int oldest = generation.get();
		try {
			HttpResponse<Void> response = client.send(
					HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/r%d/x".formatted(port, route))).build(),
					BodyHandlers.discarding());
			String found = response.headers().firstValue("X-Route").orElse("none");
			if (response.statusCode() != 200 || !found.startsWith("r%d-".formatted(route))
					|| Integer.parseInt(found.substring(found.indexOf('-') + 1)) < oldest) {
				wrong.add("%d %s for route %d of generation %d".formatted(response.statusCode(), found, route, oldest));
			}
		}
		catch (IOException | InterruptedException ex) {
			wrong.add(ex.toString());
		}
	}

	@Test
	void tenThousandRoutesNeedNeitherTheIndexNorADeepStack() throws Exception {
		String[] routes = tenThousandRoutes();
		try (RunningGateway running = this.gateway.start(routes)) {
			assertThat(index(running).summary().orElseThrow().indexed()).isEqualTo(10_000);
			assertThatTheyAreThere(running);
		}
		routes[0] = "gateway-bench.route-index.enabled=false";
		try (RunningGateway running = this.gateway.start(routes)) {
			assertThat(running.context().getBeansOfType(RouteIndexHolder.class)).isEmpty();
			assertThatTheyAreThere(running);
		}
	}

	private String[] tenThousandRoutes() {
		List<String> properties = new ArrayList<>();
		properties.add("gateway-bench.route-index.enabled=true");
		properties.add("gateway-bench.upstreams.service.instances=" + this.upstream.baseUrl());
		for (int i = 0; i < 10_000; i++) {
			String route = "gateway-bench.routes[%d].".formatted(i);
			properties.add(route + "id=r" + i);
			properties.add(route + "path=/r%d/**".formatted(i));
			properties.add(route + "upstream=service");
		}
		return properties.toArray(String[]::new);
	}

	private static void assertThatTheyAreThere(RunningGateway running) throws IOException {
		assertThat(HttpExchange.get(running.port(), "/r0/x").status()).isEqualTo(200);
		assertThat(HttpExchange.get(running.port(), "/r9999/x").status()).isEqualTo(200);
		assertThat(HttpExchange.get(running.port(), "/r10000/x").status()).isEqualTo(404);
	}

}
