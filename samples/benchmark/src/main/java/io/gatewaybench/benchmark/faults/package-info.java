/**
 * Lets one of two instances fail under load, and looks what clients and gateway make of
 * it.
 */
@NullMarked
package io.gatewaybench.benchmark.faults;

import org.jspecify.annotations.NullMarked;
