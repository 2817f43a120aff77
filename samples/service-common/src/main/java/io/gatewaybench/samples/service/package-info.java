/**
 * The services of the published measurements P3, P4 and P5: what both flavours share.
 */
@NullMarked
package io.gatewaybench.samples.service;

import org.jspecify.annotations.NullMarked;
