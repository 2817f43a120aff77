/**
 * Upstreams, their instances, and which instance takes the next request.
 */
@NullMarked
package io.gatewaybench.upstream;

import org.jspecify.annotations.NullMarked;
