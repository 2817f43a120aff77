/**
 * The results for people: on the terminal, as Markdown and as one self-contained page of
 * HTML.
 */
@NullMarked
package io.gatewaybench.benchmark.report;

import org.jspecify.annotations.NullMarked;
