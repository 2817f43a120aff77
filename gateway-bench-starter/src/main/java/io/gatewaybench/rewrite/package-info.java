/**
 * What the {@code _gateway} field has in it, and how it is added.
 */
@NullMarked
package io.gatewaybench.rewrite;

import org.jspecify.annotations.NullMarked;
