/**
 * What to send: the load of one measurement as data, independent of the engine that sends
 * it.
 */
@NullMarked
package io.gatewaybench.benchmark.plan;

import org.jspecify.annotations.NullMarked;
