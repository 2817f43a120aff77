package io.gatewaybench.benchmark.suite;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class SuitesTests {

	private final Suite gateway = Suites.named("gateway").orElseThrow();

	@Test
	void theDefaultSuiteHasThreeVariantsAndTheControlAtTwoConnectionCounts() {
		assertThat(Suites.all().getFirst()).isSameAs(this.gateway);
		assertThat(this.gateway.scenarios()).extracting(Scenario::id)
			.containsExactly("direct-c16", "direct-c100", "webflux-c16", "webmvc-vt-c16", "webmvc-c16", "webflux-c100",
					"webmvc-vt-c100", "webmvc-c100");
		assertThat(this.gateway.scenarios()).extracting((scenario) -> scenario.workload().connections())
			.containsExactly(16, 100, 16, 16, 16, 100, 100, 100);
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
		assertThat(this.gateway.backends().services()).containsExactly("service-a", "service-b", "service-c");
		assertThat(this.gateway.backends().instances()).isEqualTo(2);
	}

	@Test
	void everyAnswerMustNameTheGatewayItCameThrough() {
		assertThat(gateways()).allSatisfy((scenario) -> assertThat(scenario.workload().mix()).allSatisfy(
				(type) -> assertThat(type.expect().gatewayType()).isEqualTo(scenario.variant().flavour().type())));
	}

	@Test
	void onlyOneVariantRunsOnVirtualThreads() {
		assertThat(this.gateway.scenarios()).filteredOn((scenario) -> scenario.variant().threads() == Threads.VIRTUAL)
			.extracting(Scenario::id)
			.containsExactly("webmvc-vt-c16", "webmvc-vt-c100");
	}

	@Test
	void everyScenarioHasItsPublishedFigures() {
		assertThat(gateways()).extracting((scenario) -> scenario.published().requestsPerSecond())
			.containsExactly(20.21, 19.55, 19.97, 21.66, 20.62, 20.99);
		// Requests over 300 s give the published throughput
		assertThat(gateways()).allSatisfy((scenario) -> assertThat(scenario.published().requests() / 300.0)
			.isCloseTo(scenario.published().requestsPerSecond(), within(0.02)));
	}

	@Test
	void theControlIsSentWhatABackendIsSent() {
		assertThat(this.gateway.scenarios()).filteredOn((scenario) -> scenario.variant().control())
			.hasSize(2)
			.allSatisfy((scenario) -> {
				assertThat(scenario.published()).isNull();
				assertThat(scenario.workload().mix()).extracting(RequestType::paths)
					.containsExactly(List.of("/api/heavy"), List.of("/api/data"), List.of("/api/process"));
				assertThat(scenario.workload().mix()).extracting((type) -> type.expect().gatewayType())
					.containsOnlyNulls();
			});
	}

	@Test
	void anOpenLoadKeepsTheRequestsAndIsNamedByItsRate() {
		Scenario open = gateways().getFirst().atRate(500, Arrivals.POISSON, 256);
		assertThat(open.id()).isEqualTo("webflux-r500");
		assertThat(open.title()).isEqualTo("WebFlux at 500/s");
		assertThat(open.workload().model()).isEqualTo(Model.OPEN);
		assertThat(open.workload().mix()).isEqualTo(gateways().getFirst().workload().mix());
		assertThat(open.published()).isNull();
		assertThat(gateways().getLast().atRate(500, Arrivals.POISSON, 256).load().id()).isEqualTo(open.load().id());
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
			assertThat(scenario.variant().artifact()).isEqualTo(GatewayArtifact.WEBMVC_CLIENTS);
			assertThat(scenario.variant().threads())
				.isEqualTo(scenario.id().startsWith("webmvc-vt-") ? Threads.VIRTUAL : Threads.PLATFORM);
		});
	}

	@Test
	void everyRowOfTheClientsSuiteNamesItsClient() {
		assertThat(clients())
			.extracting((scenario) -> scenario.variant()
				.arguments()
				.stream()
				.filter((argument) -> argument.startsWith("--spring.http.clients.imperative.factory="))
				.map((argument) -> argument.substring(argument.indexOf('=') + 1))
				.toList())
			.containsExactly(List.of("http-components"), List.of("jetty"), List.of("reactor"), List.of("jdk"),
					List.of("jdk"), List.of("http-components"), List.of("jetty"), List.of("reactor"), List.of("jdk"),
					List.of("jdk"));
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
			.scenarios()
			.stream()
			.filter((scenario) -> !scenario.variant().control())
			.toList();
	}

	@Test
	void anUnknownNameIsNoSuite() {
		assertThat(Suites.named("nothing")).isEmpty();
	}

}
