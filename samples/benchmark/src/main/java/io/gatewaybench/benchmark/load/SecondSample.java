package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * One second of a stage. Percentiles are those of the response time; with few requests
 * per second p99 is close to the maximum.
 *
 * @param second which one, from 0; seconds beyond the stage's duration hold what was
 * drained
 * @param offered requests whose intended start lies in this second
 * @param sent requests that went out to the target in this second, {@code null} where
 * nobody counted them, as in results of an older version
 * @param ok successful responses that were complete in this second
 * @param errors requests that ended otherwise in this second
 * @param p50Ms the median, {@code null} with too few successful responses for it
 * @param p99Ms the 99th percentile, {@code null} with less than 1,000 successful
 * responses
 * @param maxMs the greatest, {@code null} without a successful response
 * @param lagMs the greatest {@linkplain GeneratorStats#lag() lag} of the generator among
 * the requests that it acted on in this second, {@code null} without one, as in the
 * closed model
 */
public record SecondSample(int second, long offered, @Nullable Long sent, long ok, long errors, @Nullable Double p50Ms,
		@Nullable Double p99Ms, @Nullable Double maxMs, @Nullable Double lagMs) {

	/**
	 * The same figures as those of another second.
	 * @param number which one
	 */
	SecondSample at(int number) {
		return new SecondSample(number, this.offered, this.sent, this.ok, this.errors, this.p50Ms, this.p99Ms,
				this.maxMs, this.lagMs);
	}

}
