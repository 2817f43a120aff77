/**
 * The owner of a request, from its arrival to the end of its response.
 */
@NullMarked
package io.gatewaybench.internal.exchange;

import org.jspecify.annotations.NullMarked;
