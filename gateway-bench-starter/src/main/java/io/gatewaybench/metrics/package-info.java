/**
 * What passed the gateway, for those who count it, name it or add to it.
 */
@NullMarked
package io.gatewaybench.metrics;

import org.jspecify.annotations.NullMarked;
