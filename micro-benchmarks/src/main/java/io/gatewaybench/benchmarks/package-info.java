/**
 * JMH benchmarks.
 */
@NullMarked
package io.gatewaybench.benchmarks;

import org.jspecify.annotations.NullMarked;
