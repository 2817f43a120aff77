/**
 * What a route can ask of the starter, and the filters that need no buffer: strip prefix
 * and headers.
 */
@NullMarked
package io.gatewaybench.filter;

import org.jspecify.annotations.NullMarked;
