/**
 * What operators see of a running gateway, and what they may change.
 */
@NullMarked
package io.gatewaybench.actuate;

import org.jspecify.annotations.NullMarked;
