/**
 * What every part of the starter shares: which flavour of the gateway it serves.
 */
@NullMarked
package io.gatewaybench;

import org.jspecify.annotations.NullMarked;
