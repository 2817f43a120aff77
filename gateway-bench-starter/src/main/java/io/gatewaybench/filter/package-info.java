/**
 * What a route can ask of the starter.
 */
@NullMarked
package io.gatewaybench.filter;

import org.jspecify.annotations.NullMarked;
