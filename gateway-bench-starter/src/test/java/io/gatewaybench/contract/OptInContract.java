package io.gatewaybench.contract;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets the features, and that nobody gets them unasked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OptInContract {

	static final String WITHOUT_STARTER = "spring.autoconfigure.exclude="
			+ "io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration,"
			+ "io.gatewaybench.autoconfigure.GatewayBenchMetricsAutoConfiguration,"
			+ "io.gatewaybench.webflux.GatewayBenchWebFluxAutoConfiguration,"
			+ "io.gatewaybench.webflux.GatewayBenchWebFluxUpstreamAutoConfiguration,"
			+ "io.gatewaybench.webmvc.GatewayBenchWebMvcAutoConfiguration,"
			+ "io.gatewaybench.webmvc.GatewayBenchWebMvcUpstreamAutoConfiguration,"
			+ "io.gatewaybench.webmvc.GatewayBenchWebMvcRoutesAutoConfiguration";

	static final List<String> ALL_FILTERS = List.of("StripGatewayPrefix", "AddGatewayHeaders", "InjectGatewayMetadata",
			"RecordGatewayMetrics");

	private final Gateway gateway;

	private RawUpstream upstream;

	/**
	 * With one native route for each list of filters.
	 */
	private RunningGateway running;

	OptInContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		String host = (this.gateway.flavour() == Flavour.WEBFLUX) ? "PreserveHostHeader" : "PreserveHost";
		List<String> others = List.of("StripPrefix=1", "AddRequestHeader=X-A,1", "AddResponseHeader=X-B,2",
				"RemoveResponseHeader=ETag");
		List<String> all = new ArrayList<>();
		all.addAll(route(0, "all", ALL_FILTERS));
		all.addAll(route(1, "one", List.of("InjectGatewayMetadata")));
		all.addAll(route(2, "rebuilt",
				List.of("InjectGatewayMetadata", "StripPrefix=1", "AddRequestHeader=X-A,1", "AddGatewayHeaders")));
		all.addAll(route(3, "host", List.of(host, "AddGatewayHeaders")));
		for (int position = 0; position <= others.size(); position++) {
			List<String> filters = new ArrayList<>(others);
			filters.add(position, "InjectGatewayMetadata");
			all.addAll(route(4 + position, "at-" + position, filters));
		}
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	private List<String> route(int index, String id, List<String> filters) {
		return this.gateway.nativeRoute(index, id, "/" + id + "/**", this.upstream.url(), filters);
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"1\"\r\n"
				+ "Content-Length: 7\r\n\r\n{\"a\":1}");
	}

	@Test
	void aNativeRouteAsksForFeaturesByName() throws Exception {
		assertEveryFeature(this.running, "/all");
	}

	@Test
	void aNativeRouteGetsOnlyWhatItAskedFor() throws Exception {
		Message response = HttpExchange.get(this.running.port(), "/one/x");
		assertThat(response.text()).contains("_gateway");
		assertThat(response.header("X-Gateway-Type")).isNull();
		assertThat(this.upstream.request().target()).isEqualTo("/one/x");
	}

	@Test
	void aFilterThatRebuildsTheRequestDoesNotLoseTheFeatures() throws Exception {
		Message response = HttpExchange.get(this.running.port(), "/rebuilt/x");
		assertThat(response.text()).contains("_gateway");
		assertThat(response.header("X-Gateway-Type")).isEqualTo(this.gateway.flavour().label());
		assertThat(this.upstream.request().target()).isEqualTo("/x");
	}

	@Test
	void aFilterThatKeepsTheHostKeepsItWithTheFeatures() throws Exception {
		HttpExchange.send(this.running.port(),
				"GET /host/x HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n");
		assertThat(this.upstream.request().headers("Host")).containsExactly("shop.example");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4 })
	void theFieldIsAddedWhereverAmongTheFiltersItIsAskedFor(int position) throws Exception {
		Message response = HttpExchange.get(this.running.port(), "/at-" + position + "/x");
		assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":{");
		assertThat(response.header("X-B")).isEqualTo("2");
		assertThat(response.header("ETag")).isNull();
		assertThat(this.upstream.request().header("X-A")).isEqualTo("1");
	}

	@Test
	void withoutConfigurationNoByteOfTheTrafficChanges() throws Exception {
		Traffic with;
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of())) {
			with = traffic(running);
		}
		Traffic without;
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of(),
				WITHOUT_STARTER)) {
			without = traffic(running);
		}
		assertThat(with).isEqualTo(without);
	}

	@Test
	void everyRouteGetsTheFeaturesInScopeAll() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of(),
				"gateway-bench.scope=all")) {
			assertEveryFeature(running, "/service");
		}
	}

	@Test
	void aFeatureThatIsOffStaysOffForThoseWhoAsk() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), ALL_FILTERS,
				"gateway-bench.body-rewrite.enabled=false", "gateway-bench.strip-prefix.enabled=false")) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(response.header("X-Gateway-Type")).isNotNull();
			assertThat(this.upstream.request().target()).isEqualTo("/service/x");
		}
	}

	@Test
	void routesThatAskForFiltersStillWorkWhenTheStarterIsOff() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), ALL_FILTERS,
				"gateway-bench.enabled=false")) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.text()).isEqualTo("{\"a\":1}");
			assertThat(response.header("X-Gateway-Type")).isNull();
			assertThat(this.upstream.request().target()).isEqualTo("/service/x");
		}
	}

	@Test
	void aNativeRouteIsTriedBeforeThoseOfTheStarter() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of(),
				"gateway-bench.upstreams.service.instances[0]=" + this.upstream.url(),
				"gateway-bench.routes[0].id=same-path", "gateway-bench.routes[0].path=/service/**",
				"gateway-bench.routes[0].upstream=service")) {
			HttpExchange.get(running.port(), "/service/x");
			assertThat(this.upstream.request().target()).isEqualTo("/service/x");
		}
	}

	private void assertEveryFeature(RunningGateway running, String path) throws Exception {
		Message response = HttpExchange.get(running.port(), path + "/x?q");
		assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":{\"type\":\"" + this.gateway.flavour().label());
		assertThat(response.header("X-Gateway-Instance")).isEqualTo("the-gateway");
		Message request = this.upstream.request();
		assertThat(request.target()).isEqualTo("/x?q");
		assertThat(request.header("X-Gateway-Type")).isEqualTo(this.gateway.flavour().label());
	}

	private Traffic traffic(RunningGateway running) throws Exception {
		Message get = HttpExchange.send(running.port(), "GET /service/a%20b?x=1&y=a+b HTTP/1.1\r\nHost: gateway\r\n"
				+ "Accept: */*\r\nAccept-Encoding: gzip\r\nX-Custom: 1\r\nConnection: close\r\n\r\n");
		Message upstreamGet = this.upstream.request();
		Message post = HttpExchange.send(running.port(), "POST /service/upload HTTP/1.1\r\nHost: gateway\r\n"
				+ "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
		Message upstreamPost = this.upstream.request();
		Message form = HttpExchange.send(running.port(), "POST /service/form?c=3&d HTTP/1.1\r\nHost: gateway\r\n"
				+ "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
				+ "a=1&b=%7e");
		Message upstreamForm = this.upstream.request();
		Message put = HttpExchange.send(running.port(),
				"PUT /service/form HTTP/1.1\r\nHost: gateway\r\n"
						+ "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n"
						+ "Connection: close\r\n\r\n9\r\na=1&b=%7e\r\n0\r\n\r\n");
		Message upstreamPut = this.upstream.request();
		return new Traffic(Stream.of(get, upstreamGet, post, upstreamPost, form, upstreamForm, put, upstreamPut)
			.map(OptInContract::comparable)
			.toList());
	}

	/**
	 * The message without what differs from one request to the next.
	 */
	private static List<String> comparable(Message message) {
		return List.of(message.startLine(),
				message.headers().stream().filter((line) -> !line.startsWith("Date:")).toList().toString(),
				message.text());
	}

	private record Traffic(List<List<String>> messages) {
	}

}
