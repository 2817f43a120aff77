/**
 * Wiring of the filters into the WebFlux gateway.
 */
@NullMarked
package io.gatewaybench.autoconfigure.webflux;

import org.jspecify.annotations.NullMarked;
