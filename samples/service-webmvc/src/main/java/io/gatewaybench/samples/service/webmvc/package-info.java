/**
 * The services of the published measurements P3, P4 and P5 on WebMvc.
 */
@NullMarked
package io.gatewaybench.samples.service.webmvc;

import org.jspecify.annotations.NullMarked;
