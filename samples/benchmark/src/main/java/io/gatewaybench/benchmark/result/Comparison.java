package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.Interval;

/**
 * A variant beside its baseline, under one load.
 *
 * @param load the load, for example {@code c16}
 * @param variant what reports call the variant
 * @param baseline what reports call what it is compared with
 * @param metric the figure
 * @param unit what the figure is measured in
 * @param ratio the figure of the variant / that of the baseline. Where it answers the
 * main question, the 95 % are those of all its answers together; elsewhere those of this
 * one
 * @param rounds how many rounds it comes from
 */
public record Comparison(String load, String variant, String baseline, Metric metric, String unit, Interval ratio,
		int rounds) {
}
