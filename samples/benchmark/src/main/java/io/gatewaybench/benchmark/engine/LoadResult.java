package io.gatewaybench.benchmark.engine;

import java.util.List;

/**
 * What was measured in one run of a plan.
 *
 * @param engine the engine that measured, with its transport
 * @param planId the id of the plan
 * @param complete whether every stage ran to its end; if not, the last one was cut short
 * @param stages the stages, as far as they ran
 */
public record LoadResult(String engine, String planId, boolean complete, List<StageResult> stages) {

	/**
	 * Copies the values.
	 */
	public LoadResult {
		stages = List.copyOf(stages);
	}

	/**
	 * The stage of a name.
	 * @param name the name
	 * @return the stage
	 * @throws IllegalArgumentException if there is none
	 */
	public StageResult stage(String name) {
		return this.stages.stream()
			.filter((stage) -> stage.stage().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("the run of plan '%s' has no stage '%s', only %s"
				.formatted(this.planId, name, this.stages.stream().map(StageResult::stage).toList())));
	}

}
