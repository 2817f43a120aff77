/**
 * Checks at the start that both flavours share.
 */
@NullMarked
package io.gatewaybench.internal.autoconfigure;

import org.jspecify.annotations.NullMarked;
