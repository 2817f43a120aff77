/**
 * Counters, meters, observations, and a CSV file beside the state of the JVM.
 */
@NullMarked
package io.gatewaybench.internal.metrics;

import org.jspecify.annotations.NullMarked;
