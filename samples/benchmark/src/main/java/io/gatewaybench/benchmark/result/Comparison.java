package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.PairedComparison;

/**
 * A variant beside its baseline, under one load.
 *
 * @param load the load, for example {@code c16}
 * @param variant what reports call the variant
 * @param baseline what reports call what it is compared with
 * @param metric the figure
 * @param unit what the figure is measured in
 * @param result what came out over the blocks in which both are valid
 */
public record Comparison(String load, String variant, String baseline, Metric metric, String unit,
		PairedComparison result) {

	Comparison with(PairedComparison newResult) {
		return new Comparison(this.load, this.variant, this.baseline, this.metric, this.unit, newResult);
	}

}
