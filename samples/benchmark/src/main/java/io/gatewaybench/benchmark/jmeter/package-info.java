/**
 * Apache JMeter as a load engine, with agents on this machine or on others.
 */
@NullMarked
package io.gatewaybench.benchmark.jmeter;

import org.jspecify.annotations.NullMarked;
