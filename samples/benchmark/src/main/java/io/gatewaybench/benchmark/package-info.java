/**
 * The command line of the benchmark.
 */
@NullMarked
package io.gatewaybench.benchmark;

import org.jspecify.annotations.NullMarked;
