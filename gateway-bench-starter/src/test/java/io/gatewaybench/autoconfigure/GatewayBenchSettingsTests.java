package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.metrics.CsvSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class GatewayBenchSettingsTests {

	private static final String INSTANCES = "gateway-bench.upstreams.service.instances=http://10.0.0.3:8081,"
			+ "http://10.0.0.5:8082";

	@ParameterizedTest
	@EnumSource
	void theHeadersNameFlavourAndGateway(Flavour flavour) {
		FilterSettings filters = settings(flavour, "gateway-1").filters(List.of(), Stream.empty());
		assertThat(headers(filters.requestHeaders())).isEqualTo(Map.of("X-Gateway-Type", flavour.label()));
		assertThat(headers(filters.responseHeaders())).isEqualTo(Map.of("X-Gateway-Type", flavour.label(),
				"X-Gateway-Instance", "gateway-1", "X-Served-By", "Spring-Cloud-Gateway-" + flavour.label()));
	}

	@Test
	void configuredHeadersReplaceTheDefaultsOfTheirDirectionOnly() {
		FilterSettings filters = settings("gateway-bench.headers.response.X-By={instance}/{type}/{other}",
				"gateway-bench.instance=edge")
			.filters(List.of(), Stream.empty());
		assertThat(headers(filters.responseHeaders())).isEqualTo(Map.of("X-By", "edge/WebMVC/{other}"));
		assertThat(headers(filters.requestHeaders())).isEqualTo(Map.of("X-Gateway-Type", "WebMVC"));
	}

	@ParameterizedTest
	@CsvSource({ ", gateway", "'', gateway", "' ', gateway", "my app, my app", "gätewäy\u2028, g?tew?y?" })
	void theNameOfTheApplicationIsTheDefaultAndNeverBreaksAHeader(String applicationName, String instance) {
		assertThat(headers(
				settings(Flavour.WEBFLUX, applicationName).filters(List.of(), Stream.empty()).responseHeaders()))
			.containsEntry("X-Gateway-Instance", instance);
	}

	@Test
	void everyFeatureIsOnForTheRoutesOfTheStarterAndNoneForOthers() {
		FilterSettings filters = settings().filters(List.of(), Stream.empty());
		assertThat(Feature.values()).allMatch(filters.scope().enabled()::has);
		assertThat(filters.scope().everyRoute()).isFalse();
	}

	@Test
	void everyRouteHasEveryFeatureWhereThatIsTheScope() {
		FilterSettings filters = settings("gateway-bench.scope=all", "gateway-bench.headers.enabled=false")
			.filters(List.of(), Stream.empty());
		assertThat(filters.scope().everyRoute()).isTrue();
		assertThat(filters.scope().enabled().has(Feature.METRICS)).isTrue();
		assertThat(filters.scope().enabled().has(Feature.HEADERS)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "strip-prefix, STRIP_PREFIX", "headers, HEADERS", "body-rewrite, BODY_REWRITE", "metrics, METRICS" })
	void eachFeatureCanBeSwitchedOffByItself(String block, Feature feature) {
		RouteFeatures enabled = settings("gateway-bench.%s.enabled=false".formatted(block))
			.filters(List.of(), Stream.empty())
			.scope()
			.enabled();
		for (Feature each : Feature.values()) {
			assertThat(enabled.has(each)).as(each.name()).isEqualTo(each != feature);
		}
	}

	@Test
	void anEngineThatIsOffNeedsNoLibrary() throws IOException {
		try (ClassPathWithout classPath = new ClassPathWithout(com.fasterxml.jackson.databind.JsonNode.class)) {
			assertThatIllegalStateException()
				.isThrownBy(() -> classPath.run(GatewayBenchSettingsTests.class, "filters",
						"gateway-bench.body-rewrite.engine=jackson2"))
				.withMessageContaining("com.fasterxml.jackson.core:jackson-databind");
			classPath.run(GatewayBenchSettingsTests.class, "filters", "gateway-bench.body-rewrite.engine=jackson2",
					"gateway-bench.body-rewrite.enabled=false");
		}
	}

	@Test
	void routesKeepTheirOrderAndStripAsManySegmentsAsTheySay() {
		GatewayBenchSettings settings = settings(INSTANCES, "gateway-bench.strip-prefix.parts=2",
				"gateway-bench.routes[0].id=b", "gateway-bench.routes[0].path=/b/**",
				"gateway-bench.routes[0].upstream=service", "gateway-bench.routes[1].id=a",
				"gateway-bench.routes[1].path=/a/**", "gateway-bench.routes[1].upstream=service",
				"gateway-bench.routes[1].strip-prefix=0");
		List<GatewayRoute> routes = settings.routes(settings.upstreams().all(null, null, () -> null)).routes();
		assertThat(routes).extracting(GatewayRoute::id).containsExactly("b", "a");
		assertThat(routes).extracting((route) -> route.uri().toString()).containsOnly("rr://service");
		assertThat(routes).extracting((route) -> route.features().upstreamPath("/x/y/z"))
			.containsExactly("/z", "/x/y/z");
	}

	@Test
	void instancesTakeTurns() {
		Upstream upstream = onlyUpstream(settings(INSTANCES));
		assertThat(List.of(next(upstream), next(upstream), next(upstream))).extracting(Instance::authority)
			.containsExactly("10.0.0.3:8081", "10.0.0.5:8082", "10.0.0.3:8081");
	}

	@Test
	void theFirstInstanceTakesEverythingWithoutRoundRobin() {
		Upstream upstream = onlyUpstream(settings(INSTANCES, "gateway-bench.load-balancing.enabled=false"));
		assertThat(List.of(next(upstream), next(upstream))).extracting(Instance::authority)
			.containsOnly("10.0.0.3:8081");
	}

	@Test
	void instancesTakeTurnsByTheirWeights() {
		Upstream upstream = onlyUpstream(settings("gateway-bench.upstreams.service.instances[0]=http://10.0.0.3:8081",
				"gateway-bench.upstreams.service.instances[1].url=http://10.0.0.5:8082",
				"gateway-bench.upstreams.service.instances[1].weight=2"));
		assertThat(List.of(next(upstream), next(upstream), next(upstream))).extracting(Instance::authority)
			.containsExactly("10.0.0.5:8082", "10.0.0.3:8081", "10.0.0.5:8082");
	}

	@Test
	void anUpstreamHasTheTimeoutsOfAllUnlessItHasItsOwn() {
		assertThat(onlyUpstream(settings(INSTANCES)).timeouts())
			.isEqualTo(new UpstreamTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60)));
		assertThat(onlyUpstream(settings(INSTANCES, "gateway-bench.timeouts.connect=1s",
				"gateway-bench.timeouts.response=2s", "gateway-bench.upstreams.service.timeouts.response=0",
				"gateway-bench.upstreams.service.timeouts.read=3s"))
			.timeouts()).isEqualTo(new UpstreamTimeouts(Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(3)));
	}

	@ParameterizedTest
	@CsvSource({ "service", "service-a", "A1", "1", "a.b", "10.0.0.1" })
	void aNameThatIsAHostNamesAnUpstream(String name) {
		GatewayBenchSettings settings = settings(
				"gateway-bench.upstreams[%s].instances=http://127.0.0.1:1".formatted(name),
				"gateway-bench.routes[0].id=a", "gateway-bench.routes[0].path=/a",
				"gateway-bench.routes[0].upstream=" + name);
		GatewayRoute route = settings.routes(settings.upstreams().all(null, null, () -> null)).routes().get(0);
		assertThat(settings.upstreams().all(null, null, () -> null).get(route.uri()).name()).isEqualTo(name);
	}

	@Test
	void withoutLoadBalancingAHostIsOneInstance() {
		Upstream upstream = onlyUpstream(settings("gateway-bench.load-balancing.enabled=false",
				"gateway-bench.upstreams.service.instances=http://localhost:1",
				"gateway-bench.upstreams.service.resolve=all"));
		assertThat(upstream.isDiscovered()).isFalse();
		assertThat(next(upstream)).isEqualTo(Instance.parse("http://localhost:1"));
	}

	@Test
	void theFileHasADirectoryAndAnInterval() {
		assertThat(settings().csv(List.of()))
			.isEqualTo(new CsvSettings(Path.of("gateway-data"), Duration.ofSeconds(2), List.of()));
		assertThat(settings("gateway-bench.metrics.csv.directory=/data", "gateway-bench.metrics.csv.interval=500ms")
			.csv(List.of())).isEqualTo(new CsvSettings(Path.of("/data"), Duration.ofMillis(500), List.of()));
	}

	/**
	 * Runs inside the narrow class path.
	 */
	static void filters(String[] properties) {
		settings(properties).filters(List.of(), Stream.empty());
	}

	private static Instance next(Upstream upstream) {
		return new UpstreamCall(upstream, "GET", false, GatewayMetrics.disabled(), InstanceChooser.Request.NONE)
			.instance();
	}

	private static Upstream onlyUpstream(GatewayBenchSettings settings) {
		return settings.upstreams().all(null, null, () -> null).get(URI.create("rr://service"));
	}

	private static Map<String, String> headers(HeaderRules rules) {
		HttpHeaders headers = new HttpHeaders();
		rules.applyTo("orders", headers);
		return headers.toSingleValueMap();
	}

	private static GatewayBenchSettings settings(String... properties) {
		return settings(Flavour.WEBMVC, null, properties);
	}

	private static GatewayBenchSettings settings(Flavour flavour, String applicationName, String... properties) {
		Map<String, String> values = Arrays.stream(properties)
			.map((property) -> property.split("=", 2))
			.collect(Collectors.toMap((property) -> property[0], (property) -> property[1]));
		GatewayBenchProperties bound = new Binder(new MapConfigurationPropertySource(values))
			.bindOrCreate("gateway-bench", GatewayBenchProperties.class);
		return new GatewayBenchSettings(bound, flavour, applicationName);
	}

}
