package io.gatewaybench.benchmark.run;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.suite.Scenario;

/**
 * A slice as it was played.
 *
 * @param scenario what was measured
 * @param round which round, from 1
 * @param planned the stage as it was planned
 * @param engine what sent it
 * @param stage the stage as it went
 * @param resources what everybody used
 * @param fault what the harness did wrong, {@code null} for nothing
 */
record Played(Scenario scenario, int round, Stage planned, String engine, StageResult stage, Resources resources,
		@Nullable String fault) {

	Played with(String reason) {
		return new Played(this.scenario, this.round, this.planned, this.engine, this.stage, this.resources, reason);
	}

}
