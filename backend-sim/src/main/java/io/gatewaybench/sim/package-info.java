/**
 * Simulator of slow backends: HTTP endpoints whose latency is a seeded distribution.
 */
@NullMarked
package io.gatewaybench.sim;

import org.jspecify.annotations.NullMarked;
