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

	/**
	 * The same on a machine where it is larger. The part that the factor adds is known no
	 * better than the factor.
	 * @param factor how many times as large, 1 or more
	 * @param known the degrees of freedom of the factor
	 * @return what is known of such a machine
	 */
	public BetweenStarts times(double factor, double known) {
		double added = 1 - 1 / (factor * factor);
		double own = 1 - added;
		return new BetweenStarts(factor * this.sd, 1 / (own * own / this.freedom + added * added / known));
	}

}
