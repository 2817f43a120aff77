/**
 * Carries out a plan: starts backends and gateways, loads them, keeps what was measured,
 * ends everything.
 */
@NullMarked
package io.gatewaybench.benchmark.run;

import org.jspecify.annotations.NullMarked;
