package io.gatewaybench.benchmark.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Everything that one run found out: the content of {@code results.json}.
 *
 * @param schemaVersion the version of this structure, {@value #SCHEMA_VERSION}
 * @param suite name of the suite
 * @param title what the suite is about
 * @param source what the published figures come from
 * @param status how far the run came
 * @param failure why it ended early, or {@code null}
 * @param startedAt when it began
 * @param finishedAt when it ended, or {@code null} while it runs
 * @param settings what the user could choose
 * @param environment the machine and the software
 * @param planned ids of the scenarios of one block, in the order of the suite
 * @param scenarios what was measured, in the order of execution
 */
public record RunResults(int schemaVersion, String suite, String title, String source, Status status,
		@Nullable String failure, Instant startedAt, @Nullable Instant finishedAt, Settings settings,
		Environment environment, List<String> planned, List<ScenarioResult> scenarios) {

	/**
	 * The version that this code writes and reads.
	 */
	public static final int SCHEMA_VERSION = 1;

	/**
	 * Copies the lists.
	 */
	public RunResults {
		planned = List.copyOf(planned);
		scenarios = List.copyOf(scenarios);
	}

	/**
	 * How far a run came.
	 */
	public enum Status {

		/**
		 * Still running, or killed while it was.
		 */
		RUNNING,

		/**
		 * Every planned scenario was measured.
		 */
		COMPLETE,

		/**
		 * Ended by the user.
		 */
		INTERRUPTED,

		/**
		 * Ended by a failure.
		 */
		FAILED

	}

	/**
	 * What the user could choose.
	 *
	 * @param warmup load before every measurement
	 * @param duration length of every measurement
	 * @param repeat number of blocks; each has every scenario once, in random order
	 * @param heap heap of every gateway, as in {@code -Xmx}
	 * @param timeout how long the client waits for an answer; what the SLO view counts a
	 * lost request as
	 * @param seed decides the order of the scenarios, the request mix and the backends'
	 * latencies
	 */
	public record Settings(Duration warmup, Duration duration, int repeat, String heap, Duration timeout, long seed) {
	}

	/**
	 * The same run with one more scenario.
	 * @param scenario what was measured
	 * @return a copy
	 */
	public RunResults with(ScenarioResult scenario) {
		List<ScenarioResult> more = new ArrayList<>(this.scenarios);
		more.add(scenario);
		return new RunResults(this.schemaVersion, this.suite, this.title, this.source, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, more);
	}

	/**
	 * The same run at its end.
	 * @param how how it ended
	 * @param why the reason, or {@code null} when it is complete
	 * @param when the time
	 * @return a copy
	 */
	public RunResults ended(Status how, @Nullable String why, Instant when) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.source, how, why, this.startedAt, when,
				this.settings, this.environment, this.planned, this.scenarios);
	}

	/**
	 * The scenarios in the order of the suite, repetitions of one scenario together.
	 * @return the same scenarios, ordered
	 */
	public List<ScenarioResult> inSuiteOrder() {
		return this.scenarios.stream()
			.sorted(Comparator.<ScenarioResult>comparingInt((result) -> this.planned.indexOf(result.id()))
				.thenComparingInt(ScenarioResult::block))
			.toList();
	}

}
