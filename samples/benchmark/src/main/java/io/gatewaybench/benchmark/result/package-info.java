/**
 * What was measured, as the immutable records that {@code results.json} is made of.
 */
@NullMarked
package io.gatewaybench.benchmark.result;

import org.jspecify.annotations.NullMarked;
