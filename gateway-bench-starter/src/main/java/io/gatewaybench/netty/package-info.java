/**
 * Reactor Netty as a gateway needs it, on either flavour.
 */
@NullMarked
package io.gatewaybench.netty;

import org.jspecify.annotations.NullMarked;
