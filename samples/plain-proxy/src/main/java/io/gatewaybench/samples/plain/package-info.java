/**
 * Proxies of the libraries alone.
 */
@NullMarked
package io.gatewaybench.samples.plain;

import org.jspecify.annotations.NullMarked;
