/**
 * Adapter to the WebFlux gateway.
 */
@NullMarked
package io.gatewaybench.webflux;

import org.jspecify.annotations.NullMarked;
