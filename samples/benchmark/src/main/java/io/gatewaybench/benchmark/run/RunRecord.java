package io.gatewaybench.benchmark.run;

import java.nio.file.Path;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * The results so far, on disk after every change.
 */
final class RunRecord {

	private final Path file;

	private final Thresholds thresholds;

	private RunResults results;

	RunRecord(OutputDirectory output, Thresholds thresholds, RunResults results) {
		this.file = output.path().resolve(ResultsFile.NAME);
		this.thresholds = thresholds;
		set(results);
	}

	RunResults results() {
		return this.results;
	}

	void set(RunResults results) {
		this.results = results.withThresholds(this.thresholds.results(results));
		ResultsFile.write(this.file, this.results);
	}

	void add(@Nullable WarmupCurve curve) {
		if (curve != null) {
			set(this.results.with(curve));
		}
	}

}
