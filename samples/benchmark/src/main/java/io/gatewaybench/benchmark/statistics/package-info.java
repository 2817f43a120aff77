/**
 * What repeated measurements say, and how certain it is.
 */
@NullMarked
package io.gatewaybench.benchmark.statistics;

import org.jspecify.annotations.NullMarked;
