package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.Interval;

/**
 * A figure of one variant under one load, over the blocks.
 *
 * @param load the load, for example {@code c16}
 * @param variant what reports call the variant
 * @param metric the figure
 * @param unit what it is measured in
 * @param interval geometric mean and interval over the blocks in which it is valid
 * @param disturbed whether it is valid in none, and the mean is over all
 */
public record Estimate(String load, String variant, Metric metric, String unit, Interval interval, boolean disturbed) {
}
