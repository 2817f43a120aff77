package io.gatewaybench.benchmark.suite;

import java.net.URI;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class SuitesTests {

	private final Suite gateway = Suites.named("gateway").orElseThrow();

	@Test
	void theDefaultSuiteHasThreeVariantsAndTheControlAtTwoConnectionCounts() {
		assertThat(Suites.all().getFirst()).isSameAs(this.gateway);
		assertThat(this.gateway.scenarios()).extracting(Scenario::id)
			.containsExactly("direct-c16", "webflux-c16", "webmvc-vt-c16", "webmvc-c16", "direct-c100", "webflux-c100",
					"webmvc-vt-c100", "webmvc-c100");
		assertThat(this.gateway.scenarios()).extracting((scenario) -> scenario.workload().connections())
			.containsExactly(16, 16, 16, 16, 100, 100, 100, 100);
	}

	@Test
	void everyScenarioIsAClosedLoopOfThePublishedMix() {
		assertThat(this.gateway.scenarios()).allSatisfy((scenario) -> {
			assertThat(scenario.workload().model()).isEqualTo(Model.CLOSED);
			assertThat(scenario.workload().thinkTime()).isZero();
			assertThat(scenario.workload().mix())
				.extracting(RequestType::method, RequestType::name, RequestType::weight)
				.containsExactly(tuple("GET", "heavy", 40.0), tuple("GET", "data", 35.0),
						tuple("POST", "process", 25.0));
		});
	}

	@Test
	void everyTypeOfRequestGoesToAllThreeServices() {
		assertThat(gateways().getFirst().workload().mix().getFirst().paths()).containsExactly("/service-a/api/heavy",
				"/service-b/api/heavy", "/service-c/api/heavy");
		assertThat(this.gateway.components().get("backends"))
			.isEqualTo(new Component.Simulator(Map.of("service-a", 2, "service-b", 2, "service-c", 2), false, null));
	}

	@Test
	void everyAnswerMustNameTheGatewayItCameThrough() {
		assertThat(gateways()).allSatisfy((scenario) -> assertThat(scenario.workload().mix())
			.allSatisfy((type) -> assertThat(type.expect().gatewayType())
				.isEqualTo(scenario.id().startsWith("webflux") ? "WebFlux" : "WebMVC")));
	}

	@Test
	void onlyOneVariantRunsOnVirtualThreads() {
		assertThat(gateways())
			.filteredOn((scenario) -> jar(scenario).config().toString().contains("threads={virtual={enabled=true}}"))
			.extracting(Scenario::id)
			.containsExactly("webmvc-vt-c16", "webmvc-vt-c100");
	}

	@Test
	void everyScenarioHasItsPublishedFigures() {
		assertThat(gateways())
			.extracting((scenario) -> this.gateway.study().figures().get(scenario.id()).get("throughput"))
			.containsExactly(20.21, 19.55, 19.97, 21.66, 20.62, 20.99);
		assertThat(gateways()).allSatisfy((scenario) -> assertThat(this.gateway.study().figures().get(scenario.id()))
			.containsKeys("service-mean", "service-p50", "service-p99", "errors, %"));
	}

	@Test
	void theControlIsSentWhatABackendIsSent() {
		assertThat(this.gateway.scenarios()).filteredOn((scenario) -> scenario.variant().control())
			.hasSize(2)
			.allSatisfy((scenario) -> {
				assertThat(this.gateway.study().figures()).doesNotContainKey(scenario.id());
				assertThat(scenario.workload().mix()).extracting(RequestType::paths)
					.containsExactly(List.of("/api/heavy"), List.of("/api/data"), List.of("/api/process"));
				assertThat(scenario.workload().mix()).extracting((type) -> type.expect().gatewayType())
					.containsOnlyNulls();
			});
	}

	@Test
	void anOpenLoadKeepsTheRequestsAndIsNamedByItsContent() {
		Scenario first = gateways().getFirst();
		Scenario open = Scenario.of(first.variant(), first.load().atRate(500, Arrivals.POISSON, 64));
		assertThat(open.id()).isEqualTo("webflux-r500-poisson-on64");
		assertThat(open.title()).isEqualTo("WebFlux at 500/s (poisson on64)");
		assertThat(open.workload().model()).isEqualTo(Model.OPEN);
		assertThat(open.workload().mix()).isEqualTo(first.workload().mix());
		assertThat(gateways().getLast().load().atRate(500, Arrivals.CONSTANT, 256).id()).isEqualTo("r500");
	}

	private List<Scenario> gateways() {
		return this.gateway.scenarios().stream().filter((scenario) -> !scenario.variant().control()).toList();
	}

	@Test
	void everyBaselineIsAVariantUnderTheSameLoad() {
		assertThat(Suites.all()).allSatisfy(
				(suite) -> assertThat(suite.scenarios()).filteredOn((scenario) -> scenario.variant().baseline() != null)
					.allSatisfy((scenario) -> assertThat(suite.scenarios())
						.filteredOn((other) -> other.load().id().equals(scenario.load().id()))
						.extracting((other) -> other.variant().title())
						.contains(scenario.variant().baseline())));
	}

	@Test
	void aFullRunOfP5HasItsTwelveTestsOfEveryProxy() {
		Suite delays = Suites.named("delays").orElseThrow();
		assertThat(delays.fullScenarios()).hasSize(12 * 9);
		assertThat(delays.scenarios()).extracting((scenario) -> scenario.variant().process())
			.containsOnly("direct", "webmvc", "webmvc-vt", "webflux");
	}

	@Test
	void idsAreUnique() {
		assertThat(Suites.all())
			.allSatisfy((suite) -> assertThat(suite.scenarios()).extracting(Scenario::id).doesNotHaveDuplicates());
	}

	@Test
	void theClientsSuiteHasEachClientOnBothKindsOfThreads() {
		assertThat(clients()).extracting(Scenario::id)
			.containsExactly("webmvc-vt-apache-c100", "webmvc-vt-jetty-c100", "webmvc-vt-reactor-c100",
					"webmvc-vt-jdk-c100", "webmvc-vt-stock-c100", "webmvc-apache-c100", "webmvc-jetty-c100",
					"webmvc-reactor-c100", "webmvc-jdk-c100", "webmvc-stock-c100");
		assertThat(clients()).allSatisfy((scenario) -> {
			assertThat(jar(scenario).jar()).isEqualTo("gateway-webmvc-clients");
			assertThat(jar(scenario).config().toString())
				.contains("virtual={enabled=" + scenario.id().startsWith("webmvc-vt-") + "}");
		});
	}

	@Test
	void everyRowOfTheClientsSuiteNamesItsClient() {
		assertThat(clients()).extracting((scenario) -> jar(scenario).config().toString())
			.extracting((config) -> config.replaceAll(".*imperative=\\{factory=([a-z-]+)}.*", "$1"))
			.containsExactly("http-components", "jetty", "reactor", "jdk", "jdk", "http-components", "jetty", "reactor",
					"jdk", "jdk");
	}

	@Test
	void bareAndStockGatewaysHaveNativeRoutesToAllServicesAndNoConfigurationOfTheSample() {
		List<Scenario> without = Suites.named("overhead")
			.orElseThrow()
			.optionalScenarios()
			.stream()
			.filter((scenario) -> scenario.variant().id().matches(".*-(bare|stock)"))
			.toList();
		assertThat(without).hasSize(6).allSatisfy((scenario) -> {
			assertThat(jar(scenario).arguments()).containsExactly("--spring.config.name=none");
			assertThat(jar(scenario).config().toString())
				.contains("uri=${service-a.url}", "uri=${service-c.url}", "Path=/service-b/**", "StripPrefix=1")
				.doesNotContain("upstreams");
			assertThat(scenario.workload().mix()).extracting((type) -> type.expect().gatewayType()).containsOnlyNulls();
		});
	}

	@Test
	void aGatewayWithManyRoutesIsAskedForItsLastOne() {
		Scenario last = Suites.named("routes")
			.orElseThrow()
			.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().equals("webflux-10000-last-c100"))
			.findFirst()
			.orElseThrow();
		assertThat(last.workload().mix().getFirst().paths()).containsExactly("/r9999/user");
		References references = References.NONE.with("service-a", List.of(URI.create("http://127.0.0.1:1")))
			.withOwn("127.0.0.1", "2", "/tmp");
		assertThat(references.resolve(jar(last).config()).toString()).contains(
				"{id=r0, path=/r0/**, upstream=service-a}", "{id=r9999, path=/r9999/**, upstream=service-a}",
				"instances=http://127.0.0.1:1");
	}

	@Test
	void everyClientIsComparedWithApachesOnTheSameThreads() {
		assertThat(clients()).extracting((scenario) -> scenario.variant().baseline())
			.containsExactly(null, "WebMVC+VT Apache", "WebMVC+VT Apache", "WebMVC+VT Apache", "WebMVC+VT Apache", null,
					"WebMVC Apache", "WebMVC Apache", "WebMVC Apache", "WebMVC Apache");
	}

	private static List<Scenario> clients() {
		return Suites.named("clients")
			.orElseThrow()
			.fullScenarios()
			.stream()
			.filter((scenario) -> !scenario.variant().control())
			.toList();
	}

	@Test
	void streamsAreReadByManyUsersAsEventsAndLinesAndByWebSocket() {
		Suite streams = Suites.named("streams").orElseThrow();
		assertThat(streams.scenarios()).extracting(Scenario::id)
			.containsExactly("direct-c500-events-lines", "webflux-c500-events-lines", "webmvc-vt-c500-events-lines",
					"direct-c500-socket", "webflux-c500-socket", "webmvc-vt-c500-socket");
		assertThat(streams.fullScenarios()).hasSize(12);
		assertThat(streams.question().load()).isEqualTo("c500-events-lines");
		assertThat(streams.scenarios()).flatExtracting((scenario) -> scenario.workload().mix())
			.allSatisfy((type) -> assertThat(type.expect())
				.isEqualTo(new Expectation(type.name().equals("socket") ? 101 : 200, 4000, null)));
	}

	@Test
	void faultsHappenToTheThreeGateways() {
		assertThat(Suites.faulty()).extracting(Variant::id, Variant::gatewayField)
			.containsExactly(tuple("webflux", "WebFlux"), tuple("webmvc-vt", "WebMVC"), tuple("webmvc", "WebMVC"));
	}

	private static Component.Jar jar(Scenario scenario) {
		return (Component.Jar) scenario.variant().component();
	}

	@Test
	void anUnknownNameIsNoSuite() {
		assertThat(Suites.named("nothing")).isEmpty();
	}

}
