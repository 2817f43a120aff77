/**
 * What is sent: the load of a measurement as data, the generator that sends it in a
 * process of its own, and what came back.
 */
@NullMarked
package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.NullMarked;
