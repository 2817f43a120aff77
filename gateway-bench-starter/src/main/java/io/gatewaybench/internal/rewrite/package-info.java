/**
 * Bytes in, bytes out: adds the {@code _gateway} field to JSON bodies and knows neither
 * stack.
 */
@NullMarked
package io.gatewaybench.internal.rewrite;

import org.jspecify.annotations.NullMarked;
