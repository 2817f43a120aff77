/**
 * Sends a {@link io.gatewaybench.benchmark.plan.LoadPlan} and tells what came back: the
 * load generator, its own process, and the results of both.
 */
@NullMarked
package io.gatewaybench.benchmark.engine;

import org.jspecify.annotations.NullMarked;
