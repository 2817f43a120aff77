/**
 * What can be measured: suites, scenarios, variants of the gateway and the published
 * figures, as data.
 */
@NullMarked
package io.gatewaybench.benchmark.suite;

import org.jspecify.annotations.NullMarked;
