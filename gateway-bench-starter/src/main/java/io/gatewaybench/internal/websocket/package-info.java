/**
 * WebSockets that pass the gateway: handshake, frames and limits, for both adapters.
 */
@NullMarked
package io.gatewaybench.internal.websocket;

import org.jspecify.annotations.NullMarked;
