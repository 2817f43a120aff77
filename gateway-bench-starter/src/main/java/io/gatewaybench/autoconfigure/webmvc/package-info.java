/**
 * Wiring of the filters into the WebMVC gateway.
 */
@NullMarked
package io.gatewaybench.autoconfigure.webmvc;

import org.jspecify.annotations.NullMarked;
