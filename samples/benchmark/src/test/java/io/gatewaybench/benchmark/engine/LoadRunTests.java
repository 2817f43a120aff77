package io.gatewaybench.benchmark.engine;

import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;

import static org.assertj.core.api.Assertions.assertThat;

class LoadRunTests {

	@Test
	void aLoadHasTheSameRequestsWhateverComesBeforeIt() {
		List<Long> whole = first(Plans.builder(Model.CLOSED)
			.warmup("warm-up 1", 10)
			.warmup("warm-up 2", 10)
			.stage("webflux", 10)
			.build());
		List<Long> brief = first(Plans.builder(Model.CLOSED).warmup("warm-up", 10).stage("webmvc", 10).build());
		assertThat(whole).doesNotHaveDuplicates();
		assertThat(brief).containsExactly(whole.getFirst(), whole.getLast());
	}

	@Test
	void theSameLoadTwiceAndAnotherLoadHaveOtherRequests() {
		assertThat(first(Plans.builder(Model.OPEN)
			.stage("one", 10, 100)
			.stage("again", 10, 100)
			.stage("other", 10, 200)
			.build())).doesNotHaveDuplicates();
	}

	private static List<Long> first(LoadPlan plan) {
		return LoadRun.random(plan).stream().map(SplittableRandom::nextLong).toList();
	}

}
