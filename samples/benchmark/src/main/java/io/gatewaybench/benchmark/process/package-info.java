/**
 * Child processes that never outlive the runner, whatever ends it.
 */
@NullMarked
package io.gatewaybench.benchmark.process;

import org.jspecify.annotations.NullMarked;
