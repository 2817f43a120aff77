/**
 * What the starter uses itself. Nothing in this package or below it is for applications:
 * it may change with any version.
 */
@NullMarked
package io.gatewaybench.internal;

import org.jspecify.annotations.NullMarked;
