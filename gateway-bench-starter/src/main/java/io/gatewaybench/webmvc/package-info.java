/**
 * Adapter to the WebMVC gateway.
 */
@NullMarked
package io.gatewaybench.webmvc;

import org.jspecify.annotations.NullMarked;
