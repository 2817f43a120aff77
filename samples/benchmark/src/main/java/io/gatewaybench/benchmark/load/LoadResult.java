package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What was measured in one session: the content of {@code load.json}.
 *
 * @param engine the engine that measured, with its transport
 * @param planId the id of the plan
 * @param complete whether every stage that began ran to its end; if not, the last one was
 * cut short
 * @param stages the stages
 */
public record LoadResult(String engine, String planId, boolean complete, List<StageResult> stages) {

	/**
	 * Copies the list.
	 */
	public LoadResult {
		stages = List.copyOf(stages);
	}

	/**
	 * Reads the files of a session.
	 * @param directory its directory
	 * @return what was measured
	 * @throws IOException if the result is not there or is damaged, with the reason
	 */
	public static LoadResult read(Path directory) throws IOException {
		return new LoadFiles(directory).readResult();
	}

	/**
	 * Writes the files of a session: the result, and the histograms of each type.
	 * @param directory its directory; made if needed
	 * @throws IOException if a file can't be written
	 */
	public void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		new LoadFiles(directory).writeResult(this);
	}

	static LoadResult of(String engine, LoadPlan plan, List<StageResult> stages) {
		return new LoadResult(engine, plan.id(), stages.stream().allMatch(StageResult::complete), stages);
	}

}
