package io.gatewaybench.benchmark.result;

/**
 * A figure of one variant under one load, over the starts.
 *
 * @param load the load, for example {@code c16}
 * @param variant what reports call the variant
 * @param metric the figure
 * @param unit what it is measured in
 * @param value geometric mean of the starts
 */
public record Estimate(String load, String variant, Metric metric, String unit, double value) {
}
