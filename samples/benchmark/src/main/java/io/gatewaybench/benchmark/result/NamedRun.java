package io.gatewaybench.benchmark.result;

/**
 * The results of a run and what the user calls it.
 *
 * @param name its directory or file, as the user wrote it
 * @param results what it found out
 */
public record NamedRun(String name, RunResults results) {
}
