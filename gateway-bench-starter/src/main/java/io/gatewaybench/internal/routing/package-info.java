/**
 * How the route for a request is found.
 */
@NullMarked
package io.gatewaybench.internal.routing;

import org.jspecify.annotations.NullMarked;
