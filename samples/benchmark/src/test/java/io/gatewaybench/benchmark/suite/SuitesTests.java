package io.gatewaybench.benchmark.suite;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class SuitesTests {

	private final Suite gateway = Suites.named("gateway").orElseThrow();

	@Test
	void theDefaultSuiteHasThreeVariantsAtTwoConnectionCounts() {
		assertThat(Suites.all().getFirst()).isSameAs(this.gateway);
		assertThat(this.gateway.scenarios()).extracting(Scenario::id)
			.containsExactly("webflux-c16", "webmvc-vt-c16", "webmvc-c16", "webflux-c100", "webmvc-vt-c100",
					"webmvc-c100");
		assertThat(this.gateway.scenarios()).extracting((scenario) -> scenario.workload().connections())
			.containsExactly(16, 16, 16, 100, 100, 100);
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
		assertThat(this.gateway.scenarios().getFirst().workload().mix().getFirst().paths())
			.containsExactly("/service-a/api/heavy", "/service-b/api/heavy", "/service-c/api/heavy");
		assertThat(this.gateway.backends().services()).containsExactly("service-a", "service-b", "service-c");
		assertThat(this.gateway.backends().instances()).isEqualTo(2);
	}

	@Test
	void everyAnswerMustNameTheGatewayItCameThrough() {
		assertThat(this.gateway.scenarios()).allSatisfy((scenario) -> assertThat(scenario.workload().mix()).allSatisfy(
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
		assertThat(this.gateway.scenarios()).extracting((scenario) -> scenario.published().requestsPerSecond())
			.containsExactly(20.21, 19.55, 19.97, 21.66, 20.62, 20.99);
		// Requests over 300 s give the published throughput
		assertThat(this.gateway.scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.published().requests() / 300.0)
				.isCloseTo(scenario.published().requestsPerSecond(), within(0.02)));
	}

	@Test
	void idsAreUnique() {
		assertThat(Suites.all())
			.allSatisfy((suite) -> assertThat(suite.scenarios()).extracting(Scenario::id).doesNotHaveDuplicates());
	}

	@Test
	void anUnknownNameIsNoSuite() {
		assertThat(Suites.named("nothing")).isEmpty();
	}

}
