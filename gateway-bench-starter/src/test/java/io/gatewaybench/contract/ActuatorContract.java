package io.gatewaybench.contract;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;

import static io.gatewaybench.contract.TwoInstances.EJECTION;
import static io.gatewaybench.contract.TwoInstances.get;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators see of a gateway, and what they change.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActuatorContract {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=gatewaybench,health";

	private static final String ENDPOINT = "/actuator/gatewaybench";

	private final Gateway gateway;

	private TwoInstances instances;

	/**
	 * Those that a test stops.
	 */
	private TwoInstances stopped;

	/**
	 * With a route for each test that changes instances.
	 */
	private RunningGateway running;

	/**
	 * With an endpoint that changes nothing, and less than all features.
	 */
	private RunningGateway restricted;

	ActuatorContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.instances = new TwoInstances(this.gateway);
		this.stopped = new TwoInstances(this.gateway);
		List<String> all = this.instances.routes("told", "changed");
		all.addAll(Gateway.route(2, "stopped-route", "stopped",
				List.of(this.stopped.bad().url(), this.stopped.good().url())));
		all.addAll(this.gateway.nativeRoute(0, "other", "/other/**", "rr://told", List.of()));
		all.addAll(List.of(EXPOSED + ",info", "gateway-bench.http-client.max-connections-per-instance=77",
				EJECTION + "consecutive-failures=1", EJECTION + "base-ejection-time=1m",
				"management.health.gatewaybench.enabled=true", "management.endpoint.health.show-details=always"));
		this.running = this.gateway.start(all.toArray(String[]::new));
		this.restricted = this.instances.start(EXPOSED + ",info", "management.endpoint.gatewaybench.access=read-only",
				"management.info.gatewaybench.enabled=true", "gateway-bench.headers.enabled=false");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.restricted.close();
		this.instances.close();
		this.stopped.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.instances.startOver();
	}

	/**
	 * In a process of its own, as other contracts need Jackson 2, which the sample does
	 * without.
	 */
	@Test
	void everyEndpointMayBeExposed(@TempDir Path directory) throws Exception {
		String classPath = Arrays.stream(JavaProcess.classPath(directory).split(File.pathSeparator))
			.filter((element) -> !element.matches(".*jackson-databind-2[^/\\\\]*\\.jar"))
			.collect(Collectors.joining(File.pathSeparator));
		try (JavaProcess process = JavaProcess.start(directory, this.gateway.application(), List.of("-cp", classPath),
				this.gateway.arguments("management.endpoints.web.exposure.include=*"))) {
			process.awaitStart(1);
		}
	}

	@Test
	void nothingIsExposedUnlessTheApplicationSaysSo() throws Exception {
		try (RunningGateway running = this.instances.start("management.endpoint.health.show-components=always")) {
			assertThat(HttpExchange.get(running.port(), ENDPOINT).status()).isEqualTo(404);
			assertThat(read(running, "/actuator/health").at("/components/gatewayBench").isMissingNode()).isTrue();
		}
	}

	@Test
	void theOverviewTellsUpstreamsRoutesAndTheClient() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		JsonNode before = read(this.running, ENDPOINT);
		assertThat(before.get("flavour").asString()).isEqualTo(this.gateway.flavour().label());
		assertThat(states(before, "told")).containsExactlyInAnyOrder(this.instances.bad().url() + " IN_ROTATION",
				this.instances.good().url() + " IN_ROTATION");
		assertThat(before.at("/routeIndex/indexed").asInt()).isEqualTo(4);
		assertThat(before.at("/httpClient/maxConnectionsPerInstance").asInt()).isEqualTo(77);
		get(this.running, "told");
		get(this.running, "told");
		assertThat(states(read(this.running, ENDPOINT), "told")).containsExactlyInAnyOrder(
				this.instances.bad().url() + " EJECTED", this.instances.good().url() + " IN_ROTATION");
		assertThat(instances(this.running, "told", "EJECTED")).isOne();
		assertThat(instances(this.running, "told", "IN_ROTATION")).isOne();
	}

	@Test
	void theClientIsToldAsItIsAndNotAsTheStarterWouldHaveIt() throws Exception {
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		String pool = this.gateway.nativePrefix() + ".httpclient.pool.";
		// Reactor Netty has no limit for all instances together
		assertThat(client(this.running)).isEqualTo(webflux ? "77 - PT5S PT4S" : "77 8192 PT5S PT4S");
		assertThat(client("gateway-bench.http-client.tuned=false")).isEqualTo("- - - -");
		if (webflux) {
			assertThat(client(pool + "max-connections=7", pool + "acquire-timeout=3000")).isEqualTo("7 - PT3S PT4S");
			assertThat(client("spring.main.sources=" + OtherPool.class.getName())).isEqualTo("5 - - -");
		}
		else {
			assertThat(client("spring.http.clients.imperative.factory=jdk")).isEqualTo("- - - -");
			assertThat(client("spring.main.sources=" + OtherLimit.class.getName())).isEqualTo("- - - -");
		}
	}

	private String client(String... properties) throws IOException {
		List<String> all = new ArrayList<>(
				List.of(EXPOSED, "gateway-bench.http-client.max-connections-per-instance=77"));
		all.addAll(List.of(properties));
		try (RunningGateway running = this.instances.start(all.toArray(String[]::new))) {
			return client(running);
		}
	}

	private static String client(RunningGateway running) throws IOException {
		JsonNode client = read(running, ENDPOINT).get("httpClient");
		return Stream.of("maxConnectionsPerInstance", "maxConnections", "acquireTimeout", "maxIdleTime")
			.map((name) -> client.has(name) ? client.get(name).asString() : "-")
			.collect(Collectors.joining(" "));
	}

	@Test
	void whatAPropertySourceOfTheApplicationSaysCountsMoreThanDefaults(@TempDir Path directory) throws Exception {
		Path file = directory.resolve("client.properties");
		String pool = this.gateway.nativePrefix() + ".httpclient.pool.";
		Files.writeString(file, """
				gateway-bench.http-client.max-connections-per-instance=7
				gateway-bench.http-client.max-idle-time=3s
				%smax-idle-time=2s
				""".formatted(pool));
		try (RunningGateway running = this.instances.start(EXPOSED, "the-property-source=file:" + file,
				"spring.main.sources=" + OwnPropertySource.class.getName())) {
			JsonNode client = read(running, ENDPOINT).get("httpClient");
			assertThat(client.get("maxConnectionsPerInstance").asInt()).isEqualTo(7);
			assertThat(client.get("maxIdleTime").asString())
				.isEqualTo((this.gateway.flavour() == Flavour.WEBFLUX) ? "PT2S" : "PT3S");
		}
	}

	@Test
	void theOverviewTellsWhatBecameOfResponseBodies() throws Exception {
		this.instances.bad().answer(TwoInstances.OBJECT);
		this.instances.good().answer(TwoInstances.OBJECT.replace("{\"a\":1}", "[  1  ]"));
		assertThat(read(this.restricted, ENDPOINT).get("rewrites").isEmpty()).isTrue();
		for (int i = 0; i < 3; i++) {
			get(this.restricted);
		}
		// A client may have the last byte before it is counted
		Awaitility.await()
			.untilAsserted(() -> assertThat(read(this.restricted, ENDPOINT).get("rewrites").toString())
				.isEqualTo("{\"added\":2,\"unchanged\":1}"));
	}

	@Test
	void theInfoTellsWhatIsOnIfTheApplicationSaysSo() throws Exception {
		assertThat(read(this.running, "/actuator/info").isEmpty()).isTrue();
		JsonNode told = read(this.restricted, "/actuator/info").get("gatewayBench");
		assertThat(told.get("flavour").asString()).isEqualTo(this.gateway.flavour().label());
		assertThat(told.get("upstreams").asInt()).isOne();
		assertThat(stream(told.get("features")).map(JsonNode::asString)).containsExactly("StripGatewayPrefix",
				"InjectGatewayMetadata", "RecordGatewayMetrics");
	}

	@Test
	void theRoutesThatCanTakeAPathAreToldInTheirOrder() throws Exception {
		assertThat(ids(read(this.running, ENDPOINT + "/routes"))).containsExactly("other", "told-route",
				"changed-route", "stopped-route");
		JsonNode some = read(this.running, ENDPOINT + "/routes?path=/told/x");
		assertThat(ids(some)).containsExactly("told-route");
		assertThat(some.at("/routes/0/predicate").asString()).contains("/told/**");
		assertThat(ids(read(this.running, ENDPOINT + "/routes?path=/nowhere"))).isEmpty();
		assertThat(HttpExchange.get(this.running.port(), ENDPOINT + "/routes?path=nowhere").status()).isEqualTo(400);
		assertThat(HttpExchange.get(this.running.port(), ENDPOINT + "/paths").status()).isEqualTo(404);
	}

	@Test
	void anInstanceIsTakenOutOfServiceAndPutBack() throws Exception {
		String bad = this.instances.bad().url();
		String good = this.instances.good().url();
		assertThat(change(this.running, "changed", bad, true)).isEqualTo(204);
		for (int i = 0; i < 4; i++) {
			assertThat(get(this.running, "changed").text()).isEqualTo("ok");
		}
		assertThat(this.instances.bad().pendingRequests()).isZero();
		assertThat(states(read(this.running, ENDPOINT), "changed")).contains(bad + " OUT_OF_SERVICE");
		assertThat(change(this.running, "changed", good, true)).isEqualTo(400);
		assertThat(states(read(this.running, ENDPOINT), "changed")).contains(good + " IN_ROTATION");
		assertThat(change(this.running, "changed", bad, false)).isEqualTo(204);
		for (int i = 0; i < 4; i++) {
			assertThat(get(this.running, "changed").text()).isEqualTo("ok");
		}
		assertThat(this.instances.bad().pendingRequests()).isEqualTo(2);
	}

	@Test
	void whatIsOutOfServiceIsNotTriedEvenIfAllOthersFail() throws Exception {
		this.instances.good().answer(TwoInstances::breakOff);
		try (RunningGateway running = this.instances.start(EXPOSED, EJECTION + "consecutive-failures=1",
				EJECTION + "base-ejection-time=10ms")) {
			assertThat(change(running, "service", this.instances.bad().url(), true)).isEqualTo(204);
			for (int i = 0; i < 5; i++) {
				assertThat(get(running).status()).isEqualTo(502);
			}
			assertThat(this.instances.bad().pendingRequests()).isZero();
		}
	}

	@Test
	void anInstanceThatIsNotThereIsRefused() throws Exception {
		assertThat(change(this.running, "changed", "http://10.0.0.1:1", true)).isEqualTo(400);
		assertThat(change(this.running, "nobody", this.instances.bad().url(), true)).isEqualTo(400);
		assertThat(change(this.running, "changed", "not a URL", true)).isEqualTo(400);
	}

	@Test
	void anUpstreamIsDownWhenItsLastInstanceFailsToo() throws Exception {
		assertThat(health(this.running)).isEqualTo("UP");
		this.stopped.bad().close();
		get(this.running, "stopped");
		get(this.running, "stopped");
		JsonNode one = read(this.running, "/actuator/health");
		assertThat(one.at("/components/gatewayBench/components/stopped/status").asString()).isEqualTo("UP");
		assertThat(one.at("/components/gatewayBench/components/stopped/details").properties())
			.extracting((entry) -> entry.getValue().asString())
			.containsExactlyInAnyOrder("EJECTED", "IN_ROTATION");
		this.stopped.good().close();
		get(this.running, "stopped");
		assertThat(health(this.running)).isEqualTo("DOWN");
	}

	@Test
	void anEndpointThatIsReadOnlyChangesNothing() throws Exception {
		assertThat(change(this.restricted, "service", this.instances.bad().url(), true)).isEqualTo(404);
		assertThat(states(read(this.restricted, ENDPOINT), "service")).hasSize(2)
			.allSatisfy((state) -> assertThat(state).endsWith(" IN_ROTATION"));
	}

	private static String health(RunningGateway running) throws IOException {
		return read(running, "/actuator/health").at("/components/gatewayBench/components/stopped/status").asString();
	}

	private static JsonNode read(RunningGateway running, String path) throws IOException {
		Message response = HttpExchange.get(running.port(), path);
		return new JsonMapper().readTree(response.text());
	}

	private static int change(RunningGateway running, String upstream, String instance, boolean outOfService)
			throws IOException {
		String body = "{\"instance\":\"%s\",\"outOfService\":%s}".formatted(instance, outOfService);
		return HttpExchange.send(running.port(), """
				POST %s/upstreams/%s HTTP/1.1\r
				Host: gateway\r
				Connection: close\r
				Content-Type: application/json\r
				Content-Length: %d\r
				\r
				%s""".formatted(ENDPOINT, upstream, body.length(), body)).status();
	}

	private static List<String> states(JsonNode overview, String upstream) {
		return stream(overview.at("/upstreams/" + upstream))
			.map((status) -> status.get("instance").asString() + " " + status.get("state").asString())
			.toList();
	}

	private static List<String> ids(JsonNode routes) {
		return stream(routes.get("routes")).filter((route) -> route.hasNonNull("id"))
			.map((route) -> route.get("id").asString())
			.toList();
	}

	private static Stream<JsonNode> stream(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false);
	}

	private static double instances(RunningGateway running, String upstream, String state) {
		Gauge gauge = running.context()
			.getBean(MeterRegistry.class)
			.get("gateway.bench.upstream.instances")
			.tags("upstream", upstream, "state", state)
			.gauge();
		return gauge.value();
	}

	@Configuration(proxyBeanMethods = false)
	@PropertySource("${the-property-source}")
	static class OwnPropertySource {

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherPool {

		@Bean
		HttpClientCustomizer otherPool() {
			return (client) -> HttpClient.create(ConnectionProvider.create("other", 5));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherLimit {

		@Bean
		ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> otherLimit() {
			return (builder) -> builder.withConnectionManagerCustomizer((manager) -> manager.setMaxConnPerRoute(5));
		}

	}

}
