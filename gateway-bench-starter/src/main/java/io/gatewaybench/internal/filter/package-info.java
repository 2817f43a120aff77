/**
 * Filters that need no buffer: strip prefix, headers, and which requests may pass.
 */
@NullMarked
package io.gatewaybench.internal.filter;

import org.jspecify.annotations.NullMarked;
