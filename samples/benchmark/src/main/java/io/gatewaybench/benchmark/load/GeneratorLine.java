package io.gatewaybench.benchmark.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A line that the generator's process writes, as JSON. It has one of the two, or nothing:
 * a sign of life in every second of a stage.
 *
 * @param pid its process, in the first line: the generator waits for stages
 * @param result a stage is over
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record GeneratorLine(@Nullable Long pid, @Nullable StageResult result) {
}
