/**
 * Deadlines, connections and health checks, as they are set.
 */
@NullMarked
package io.gatewaybench.internal.upstream;

import org.jspecify.annotations.NullMarked;
