/**
 * Looks at processes and at the machine from outside, by {@code /proc}, and into JVMs, by
 * JMX.
 */
@NullMarked
package io.gatewaybench.benchmark.observe;

import org.jspecify.annotations.NullMarked;
