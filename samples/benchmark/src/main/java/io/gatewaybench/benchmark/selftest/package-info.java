/**
 * Measures things whose answer is known, to find out whether the benchmark can be trusted
 * on this machine.
 */
@NullMarked
package io.gatewaybench.benchmark.selftest;

import org.jspecify.annotations.NullMarked;
