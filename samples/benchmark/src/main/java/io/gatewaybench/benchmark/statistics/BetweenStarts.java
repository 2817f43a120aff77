package io.gatewaybench.benchmark.statistics;

/**
 * How much the ratio of two gateways differs from one start of them to the next, as it
 * was measured in earlier runs.
 *
 * @param sd the standard deviation of the logarithm of the ratio, without what the rounds
 * of a start differ by
 * @param freedom its degrees of freedom: of how many starts it comes
 */
public record BetweenStarts(double sd, double freedom) {
}
