package io.gatewaybench.benchmark.engine;

import org.jspecify.annotations.Nullable;

/**
 * A second of a stage is over.
 *
 * @param stage the name of the stage
 * @param second which one, from 0
 * @param ok successful responses that were complete in this second
 * @param errors requests that ended otherwise in this second
 * @param done how much of the stage is over, 0 to 1: of its requests if it ends by
 * iterations, otherwise of its time
 * @param p99Ms 99th percentile of the response time in this second, {@code null} without
 * a successful response
 */
public record Progress(String stage, int second, long ok, long errors, double done, @Nullable Double p99Ms) {
}
