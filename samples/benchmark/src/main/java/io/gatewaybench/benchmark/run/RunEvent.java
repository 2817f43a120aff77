package io.gatewaybench.benchmark.run;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.jspecify.annotations.Nullable;

/**
 * What programs are told of a run: a line of JSON whose {@code event} is the name of the
 * record.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({ @JsonSubTypes.Type(name = "run-begun", value = RunEvent.RunBegun.class),
		@JsonSubTypes.Type(name = "scenario-begun", value = RunEvent.ScenarioBegun.class),
		@JsonSubTypes.Type(name = "second", value = RunEvent.Second.class),
		@JsonSubTypes.Type(name = "scenario-ended", value = RunEvent.ScenarioEnded.class),
		@JsonSubTypes.Type(name = "run-ended", value = RunEvent.RunEnded.class),
		@JsonSubTypes.Type(name = "all-ended", value = RunEvent.AllEnded.class) })
public sealed interface RunEvent {

	/**
	 * A run begins.
	 *
	 * @param suite name of the suite
	 * @param directory where its results go
	 * @param plan path of the file that has the whole plan
	 * @param scenarios ids of the scenarios of a block, in the order of reports
	 * @param blocks how many blocks there are at most
	 * @param measurements how many measurements there are at most, without those that are
	 * made again
	 * @param secondsAtMost how long the run takes at most
	 */
	record RunBegun(String suite, String directory, String plan, List<String> scenarios, int blocks, int measurements,
			long secondsAtMost) implements RunEvent {
	}

	/**
	 * A scenario begins; its gateway runs.
	 *
	 * @param scenario id of the scenario
	 * @param block the block, from 1
	 * @param again whether it is measured again because something disturbed it
	 */
	record ScenarioBegun(String scenario, int block, boolean again) implements RunEvent {
	}

	/**
	 * A second of a measurement is over.
	 *
	 * @param scenario id of the scenario
	 * @param block the block, from 1
	 * @param second which second of the measurement, from 0
	 * @param ok responses that passed every check
	 * @param errors requests that ended otherwise
	 * @param p99Ms 99th percentile of the response time, {@code null} without a right
	 * response
	 */
	record Second(String scenario, int block, int second, long ok, long errors,
			@Nullable Double p99Ms) implements RunEvent {
	}

	/**
	 * A measurement is over.
	 *
	 * @param scenario id of the scenario
	 * @param block the block, from 1
	 * @param okPerSecond responses that passed every check, per second
	 * @param errors requests that ended otherwise
	 * @param p50Ms median of the service time, or {@code null}
	 * @param p99Ms 99th percentile of the service time, or {@code null}
	 * @param overheadP50Ms median of the overhead, {@code null} if the backends do not
	 * tell their latency
	 * @param overheadP99Ms 99th percentile of the overhead, or {@code null}
	 * @param cpuMicrosPerRequest CPU time of the gateway per successful response,
	 * {@code null} if it is not known
	 * @param valid whether the figures may be used
	 * @param reasons what speaks against them
	 * @param failures what the gateway did wrong
	 */
	record ScenarioEnded(String scenario, int block, double okPerSecond, long errors, @Nullable Double p50Ms,
			@Nullable Double p99Ms, @Nullable Double overheadP50Ms, @Nullable Double overheadP99Ms,
			@Nullable Double cpuMicrosPerRequest, boolean valid, List<String> reasons,
			List<String> failures) implements RunEvent {

		static ScenarioEnded of(ScenarioResult result) {
			return new ScenarioEnded(result.id(), result.block(), result.okPerSecond(), result.counts().failed(),
					Metric.SERVICE_P50.of(result), Metric.SERVICE_P99.of(result), Metric.OVERHEAD_P50.of(result),
					Metric.OVERHEAD_P99.of(result), Metric.CPU.of(result), result.verdict().valid(),
					result.verdict().reasons(), result.verdict().failures());
		}

	}

	/**
	 * A run is over.
	 *
	 * @param suite name of the suite
	 * @param exitCode the exit code of the run
	 * @param verdict {@code failed}, {@code different}, {@code equivalent},
	 * {@code inconclusive} or {@code nothing}; {@code null} if the run failed and left no
	 * results
	 * @param headline the verdict in a sentence, or {@code null}
	 * @param results path of results.json, or {@code null}
	 * @param report path of the page, {@code null} if there is none
	 * @param failure why the run ended early, or {@code null}
	 */
	record RunEnded(String suite, int exitCode, @Nullable String verdict, @Nullable String headline,
			@Nullable String results, @Nullable String report, @Nullable String failure) implements RunEvent {
	}

	/**
	 * All studies are over.
	 *
	 * @param exitCode the exit code
	 * @param page path of the page over all reports
	 */
	record AllEnded(int exitCode, String page) implements RunEvent {
	}

}
