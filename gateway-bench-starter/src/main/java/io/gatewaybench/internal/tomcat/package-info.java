/**
 * Tomcat as a gateway needs it.
 */
@NullMarked
package io.gatewaybench.internal.tomcat;

import org.jspecify.annotations.NullMarked;
