package io.gatewaybench.benchmark.engine;

import java.util.List;

import io.gatewaybench.benchmark.plan.LoadPlan;

/**
 * What was measured in one session: the content of {@code load.json}.
 *
 * @param engine the engine that measured, with its transport
 * @param planId the id of the plan
 * @param complete whether every stage that began ran to its end; if not, the last one was
 * cut short
 * @param stages the stages
 */
record LoadResult(String engine, String planId, boolean complete, List<StageResult> stages) {

	LoadResult {
		stages = List.copyOf(stages);
	}

	static LoadResult of(String engine, LoadPlan plan, List<StageResult> stages) {
		return new LoadResult(engine, plan.id(), stages.stream().allMatch(StageResult::complete), stages);
	}

}
