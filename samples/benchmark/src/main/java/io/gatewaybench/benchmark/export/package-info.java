/**
 * Loads of a suite as files for other tools that send requests.
 */
@NullMarked
package io.gatewaybench.benchmark.export;

import org.jspecify.annotations.NullMarked;
