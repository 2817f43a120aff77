/**
 * The services of the published measurements P3, P4 and P5 on WebFlux.
 */
@NullMarked
package io.gatewaybench.samples.service.webflux;

import org.jspecify.annotations.NullMarked;
