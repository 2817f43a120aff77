/**
 * What passed the gateway: counters, meters, and a CSV file of them beside the state of
 * the JVM.
 */
@NullMarked
package io.gatewaybench.metrics;

import org.jspecify.annotations.NullMarked;
