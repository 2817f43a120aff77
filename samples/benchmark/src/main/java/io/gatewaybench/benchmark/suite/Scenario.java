package io.gatewaybench.benchmark.suite;

import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * One row of a suite: a gateway and what it is loaded with.
 *
 * @param id the name on the command line and of files, for example {@code webmvc-vt-c16}
 * @param title the name in reports
 * @param variant how the gateway is set up
 * @param workload who sends what
 * @param published what was published for it, or {@code null}
 */
public record Scenario(String id, String title, Variant variant, Workload workload, @Nullable Published published) {

}
