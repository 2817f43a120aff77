/**
 * Routes of the starter, and how the one for a request is found.
 */
@NullMarked
package io.gatewaybench.routing;

import org.jspecify.annotations.NullMarked;
