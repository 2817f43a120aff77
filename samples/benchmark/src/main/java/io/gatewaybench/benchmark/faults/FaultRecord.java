package io.gatewaybench.benchmark.faults;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.gatewaybench.benchmark.report.FaultReport;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.run.OutputDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The results so far, on disk after every change.
 */
final class FaultRecord {

	private final OutputDirectory output;

	private FaultResults results;

	FaultRecord(OutputDirectory output, FaultResults results) {
		this.output = output;
		this.results = results;
		write(results);
	}

	void add(WarmupCurve curve) {
		write(this.results.with(curve));
	}

	void add(FaultResult result) {
		write(this.results.with(result));
	}

	/**
	 * Writes the last results, and the report.
	 * @param status how far the run came
	 * @param why why it ended early, or {@code null}
	 * @return the last results
	 */
	FaultResults end(Status status, @Nullable String why) {
		write(this.results.ended(status, why, now()));
		new FaultReport(this.results).write(this.output.path());
		return this.results;
	}

	private void write(FaultResults next) {
		this.results = next;
		ResultsFile.write(this.output.path().resolve(FaultResults.NAME), next);
	}

	static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS);
	}

}
