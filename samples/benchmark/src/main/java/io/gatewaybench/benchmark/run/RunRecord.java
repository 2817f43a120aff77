package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.threshold.Thresholds;

/**
 * The results so far, on disk after every change.
 */
final class RunRecord {

	private final OutputDirectory output;

	private final Thresholds thresholds;

	private RunResults results;

	RunRecord(OutputDirectory output, Thresholds thresholds, RunResults results) {
		this.output = output;
		this.thresholds = thresholds;
		set(results);
	}

	RunResults results() {
		return this.results;
	}

	void set(RunResults results) {
		this.results = results.withThresholds(this.thresholds.results(results));
		ResultsFile.write(this.output.path().resolve(ResultsFile.NAME), this.results);
		// Now, so that a run that is killed can be found and rendered
		this.output.link();
	}

}
