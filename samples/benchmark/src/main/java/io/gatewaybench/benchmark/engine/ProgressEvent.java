package io.gatewaybench.benchmark.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.gatewaybench.benchmark.plan.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened while a plan ran; in JSON one line such as
 * {@code {"event":"progress","stage":"measure","second":3,"ok":512,"errors":0,"p99Ms":1.9}}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({ @JsonSubTypes.Type(value = ProgressEvent.StageStart.class, name = "stage-start"),
		@JsonSubTypes.Type(value = ProgressEvent.Progress.class, name = "progress"),
		@JsonSubTypes.Type(value = ProgressEvent.StageEnd.class, name = "stage-end") })
public sealed interface ProgressEvent {

	/**
	 * The stage it happened in.
	 * @return the name of the stage
	 */
	String stage();

	/**
	 * A stage begins; its connections are open.
	 *
	 * @param stage the name of the stage
	 * @param kind what the stage is for
	 * @param seconds its planned length
	 * @param pid the process that sends
	 */
	record StageStart(String stage, Stage.Kind kind, double seconds, long pid) implements ProgressEvent {
	}

	/**
	 * A second of a stage is over.
	 *
	 * @param stage the name of the stage
	 * @param second which one, from 0
	 * @param ok right responses that were complete in this second
	 * @param errors requests that ended otherwise in this second
	 * @param p99Ms 99th percentile of the response time in this second, {@code null}
	 * without a right response
	 */
	record Progress(String stage, int second, long ok, long errors, @Nullable Double p99Ms) implements ProgressEvent {
	}

	/**
	 * A stage is over and drained.
	 *
	 * @param stage the name of the stage
	 * @param ok right responses of the stage
	 * @param errors requests of the stage that ended otherwise
	 */
	record StageEnd(String stage, long ok, long errors) implements ProgressEvent {
	}

}
