package io.gatewaybench.benchmark.load;

import java.util.List;

/**
 * What was measured in one session: the content of {@code load.json}.
 *
 * @param engine the engine that measured, with its transport
 * @param complete whether every stage that began ran to its end; if not, the last one was
 * cut short
 * @param stages the stages
 */
public record LoadResult(String engine, boolean complete, List<StageResult> stages) {

	/**
	 * Copies the list.
	 */
	public LoadResult {
		stages = List.copyOf(stages);
	}

}
