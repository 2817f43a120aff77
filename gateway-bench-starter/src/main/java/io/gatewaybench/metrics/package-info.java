/**
 * What passed the gateway: counters, meters, observations, and a CSV file beside the
 * state of the JVM.
 */
@NullMarked
package io.gatewaybench.metrics;

import org.jspecify.annotations.NullMarked;
