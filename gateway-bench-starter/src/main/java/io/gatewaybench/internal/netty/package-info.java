/**
 * Reactor Netty as a gateway needs it, on either flavour.
 */
@NullMarked
package io.gatewaybench.internal.netty;

import org.jspecify.annotations.NullMarked;
