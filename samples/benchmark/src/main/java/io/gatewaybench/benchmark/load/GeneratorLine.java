package io.gatewaybench.benchmark.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A line that the generator's process writes, as JSON. It has one of the three.
 *
 * @param ready the first line: the generator waits for stages
 * @param second a second of the stage is over, from 0
 * @param result a stage is over
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record GeneratorLine(@Nullable Ready ready, @Nullable Integer second, @Nullable StageResult result) {

	/**
	 * Who sends.
	 *
	 * @param engine the engine, with its transport
	 * @param pid its process
	 */
	record Ready(String engine, long pid) {
	}

}
