/**
 * Routes of the starter.
 */
@NullMarked
package io.gatewaybench.routing;

import org.jspecify.annotations.NullMarked;
