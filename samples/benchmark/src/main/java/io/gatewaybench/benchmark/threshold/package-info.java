/**
 * Conditions on the figures of a run that fail a build: read from text, and answered with
 * what was measured.
 */
@NullMarked
package io.gatewaybench.benchmark.threshold;

import org.jspecify.annotations.NullMarked;
