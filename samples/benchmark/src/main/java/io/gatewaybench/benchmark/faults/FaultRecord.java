package io.gatewaybench.benchmark.faults;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.report.FaultReport;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.run.Runner;
import io.gatewaybench.benchmark.topology.Launcher;
import org.jspecify.annotations.Nullable;

/**
 * The results so far, on disk after every change.
 */
final class FaultRecord {

	private final OutputDirectory output;

	private final FaultResults.Settings settings;

	private final Environment environment;

	private final Instant startedAt = Runner.now();

	private final List<WarmupCurve> warmups = new ArrayList<>();

	private final List<FaultResult> faults = new ArrayList<>();

	FaultRecord(OutputDirectory output, FaultResults.Settings settings, Environment environment) {
		this.output = output;
		this.settings = settings;
		this.environment = environment;
		write(Status.RUNNING, null, null);
	}

	void add(WarmupCurve curve) {
		this.warmups.add(curve);
		write(Status.RUNNING, null, null);
	}

	void add(FaultResult fault) {
		this.faults.add(fault);
		write(Status.RUNNING, null, null);
	}

	/**
	 * Writes the last results, and the report.
	 * @param status how far the run came
	 * @param why why it ended early, or {@code null}
	 * @return the last results
	 */
	FaultResults end(Status status, @Nullable String why) {
		FaultResults results = write(status, why, Runner.now());
		Launcher.write(this.output.path(), "report.md", new FaultReport(results).toMarkdown());
		return results;
	}

	private FaultResults write(Status status, @Nullable String why, @Nullable Instant end) {
		FaultResults results = new FaultResults(FaultResults.SCHEMA_VERSION, status, why, this.startedAt, end,
				this.settings, this.environment, this.warmups, this.faults);
		ResultsFile.write(this.output.path().resolve(FaultResults.NAME), results);
		return results;
	}

}
