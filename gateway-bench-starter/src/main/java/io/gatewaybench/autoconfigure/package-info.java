/**
 * Configuration of the starter: properties, their checks, and the beans that both
 * flavours share.
 */
@NullMarked
package io.gatewaybench.autoconfigure;

import org.jspecify.annotations.NullMarked;
