package io.gatewaybench.benchmark.run;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.engine.TypeResult;

/**
 * What programs are told of a run: a line of JSON whose {@code event} is the name of the
 * record.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({ @JsonSubTypes.Type(name = "run-begun", value = RunEvent.RunBegun.class),
		@JsonSubTypes.Type(name = "second", value = RunEvent.Second.class),
		@JsonSubTypes.Type(name = "slice-ended", value = RunEvent.SliceEnded.class),
		@JsonSubTypes.Type(name = "answer", value = RunEvent.Answer.class),
		@JsonSubTypes.Type(name = "run-ended", value = RunEvent.RunEnded.class),
		@JsonSubTypes.Type(name = "all-ended", value = RunEvent.AllEnded.class) })
public sealed interface RunEvent {

	/**
	 * A run begins.
	 *
	 * @param suite name of the suite
	 * @param directory where its results go
	 * @param plan path of the file that has the whole plan
	 * @param scenarios ids of the scenarios, in the order of reports
	 */
	record RunBegun(String suite, String directory, String plan, List<String> scenarios) implements RunEvent {
	}

	/**
	 * A second of a slice is over.
	 *
	 * @param scenario id of the scenario
	 * @param start which start, from 1
	 * @param round which round, from 1
	 * @param second which second of the slice, from 0
	 * @param ok responses that passed every check
	 * @param errors requests that ended otherwise
	 * @param p99Ms 99th percentile of the response time, {@code null} without a right
	 * response
	 */
	record Second(String scenario, int start, int round, int second, long ok, long errors,
			@Nullable Double p99Ms) implements RunEvent {
	}

	/**
	 * A slice is over.
	 *
	 * @param scenario id of the scenario
	 * @param start which start, from 1
	 * @param round which round, from 1
	 * @param okPerSecond responses that passed every check, per second
	 * @param errors requests that ended otherwise
	 * @param p50Ms median of the service time, or {@code null}
	 * @param fault what the harness did wrong although it tried again, or {@code null}
	 */
	record SliceEnded(String scenario, int start, int round, double okPerSecond, long errors, @Nullable Double p50Ms,
			@Nullable String fault) implements RunEvent {

		static SliceEnded of(Played slice, int start) {
			TypeResult total = slice.stage().total();
			LatencySummary service = total.latency().service().summary();
			return new SliceEnded(slice.scenario().id(), start, slice.round(), slice.stage().throughput(),
					total.counts().failed(), service.p50Ms(), slice.fault());
		}

	}

	/**
	 * How far the answer to the main question is.
	 *
	 * @param metric the figure
	 * @param variant what reports call the variant
	 * @param baseline what reports call what it is compared with
	 * @param ratio the figure of the variant / that of the baseline
	 * @param low the lower end of the interval, or {@code null}
	 * @param high the upper end, or {@code null}
	 */
	record Answer(String metric, String variant, String baseline, double ratio, @Nullable Double low,
			@Nullable Double high) implements RunEvent {
	}

	/**
	 * A run is over.
	 *
	 * @param suite name of the suite
	 * @param exitCode the exit code of the run
	 * @param answer the answer in sentences, none if the run failed and left no results
	 * @param results path of results.json, or {@code null}
	 * @param report path of the page, {@code null} if there is none
	 * @param failure why the run ended early, or {@code null}
	 */
	record RunEnded(String suite, int exitCode, List<String> answer, @Nullable String results, @Nullable String report,
			@Nullable String failure) implements RunEvent {
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
