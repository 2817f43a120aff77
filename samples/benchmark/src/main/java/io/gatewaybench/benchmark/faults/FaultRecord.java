package io.gatewaybench.benchmark.faults;

import io.gatewaybench.benchmark.report.FaultReport;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.run.Runner;
import org.jspecify.annotations.Nullable;

/**
 * The results so far, on disk after every change.
 */
final class FaultRecord {

	private final OutputDirectory output;

	private FaultResults results;

	FaultRecord(OutputDirectory output, FaultResults results) {
		this.output = output;
		set(results);
	}

	FaultResults results() {
		return this.results;
	}

	void set(FaultResults results) {
		this.results = results;
		ResultsFile.write(this.output.path().resolve(FaultResults.NAME), results);
	}

	/**
	 * Writes the last results, and the report.
	 * @param status how far the run came
	 * @param why why it ended early, or {@code null}
	 * @return the last results
	 */
	FaultResults end(Status status, @Nullable String why) {
		set(this.results.ended(status, why, Runner.now()));
		new FaultReport(this.results).write(this.output.path());
		return this.results;
	}

}
