/**
 * Tomcat as a gateway needs it.
 */
@NullMarked
package io.gatewaybench.tomcat;

import org.jspecify.annotations.NullMarked;
