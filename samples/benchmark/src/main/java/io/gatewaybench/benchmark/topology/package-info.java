/**
 * What runs: the components of a suite as processes, on this machine and on others, and
 * what ends them whatever happens.
 */
@NullMarked
package io.gatewaybench.benchmark.topology;

import org.jspecify.annotations.NullMarked;
