/**
 * What the user is told when something can't be done.
 */
@NullMarked
package io.gatewaybench.benchmark.failure;

import org.jspecify.annotations.NullMarked;
