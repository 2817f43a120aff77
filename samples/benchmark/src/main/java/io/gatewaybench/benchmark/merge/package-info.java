/**
 * Results of several load hosts, put together.
 */
@NullMarked
package io.gatewaybench.benchmark.merge;

import org.jspecify.annotations.NullMarked;
