package io.gatewaybench.benchmark.threshold;

import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Metric;

/**
 * One side of a condition. As a text it can be read again.
 */
sealed interface Expression {

	/**
	 * What its value measures.
	 */
	Dimension dimension();

	/**
	 * Its value where figures have the given ones, in milliseconds, KiB or requests per
	 * millisecond.
	 */
	double value(ToDoubleFunction<Figure> figures);

	/**
	 * The figures in it.
	 */
	Stream<Figure> figures();

	/**
	 * Whether its value may be 0 or less where all figures are above 0.
	 */
	boolean subtracts();

	/**
	 * A metric of a variant.
	 *
	 * @param variant the id of the variant
	 * @param name the name of the metric as it was written
	 * @param metric the metric
	 */
	record Figure(String variant, String name, Metric metric) implements Expression {

		@Override
		public Dimension dimension() {
			return unit().dimension();
		}

		Unit unit() {
			return Unit.of(this.metric.unit()).orElseThrow();
		}

		@Override
		public double value(ToDoubleFunction<Figure> figures) {
			return figures.applyAsDouble(this);
		}

		@Override
		public Stream<Figure> figures() {
			return Stream.of(this);
		}

		@Override
		public boolean subtracts() {
			return false;
		}

		@Override
		public String toString() {
			return this.variant + "." + this.name;
		}

	}

	/**
	 * A number with its unit.
	 *
	 * @param digits the number as it was written
	 * @param unit the unit
	 */
	record Amount(String digits, Unit unit) implements Expression {

		@Override
		public Dimension dimension() {
			return this.unit.dimension();
		}

		@Override
		public double value(ToDoubleFunction<Figure> figures) {
			return Double.parseDouble(this.digits) * this.unit.factor();
		}

		@Override
		public Stream<Figure> figures() {
			return Stream.empty();
		}

		@Override
		public boolean subtracts() {
			return false;
		}

		@Override
		public String toString() {
			return this.digits + this.unit.symbol();
		}

	}

	/**
	 * Two expressions and what is done with them.
	 *
	 * @param left the first one
	 * @param operator one of {@code + - * /}
	 * @param right the second one
	 */
	record Operation(Expression left, char operator, Expression right) implements Expression {

		@Override
		public Dimension dimension() {
			return switch (this.operator) {
				case '*' -> this.left.dimension().times(this.right.dimension());
				case '/' -> this.left.dimension().dividedBy(this.right.dimension());
				default -> this.left.dimension();
			};
		}

		@Override
		public double value(ToDoubleFunction<Figure> figures) {
			double one = this.left.value(figures);
			double other = this.right.value(figures);
			return switch (this.operator) {
				case '*' -> one * other;
				case '/' -> one / other;
				case '-' -> one - other;
				default -> one + other;
			};
		}

		@Override
		public Stream<Figure> figures() {
			return Stream.concat(this.left.figures(), this.right.figures());
		}

		@Override
		public boolean subtracts() {
			return this.operator == '-' || this.left.subtracts() || this.right.subtracts();
		}

		private boolean isSum() {
			return this.operator == '+' || this.operator == '-';
		}

		@Override
		public String toString() {
			boolean first = this.left instanceof Operation inner && inner.isSum() && !isSum();
			boolean second = this.right instanceof Operation inner && (inner.isSum() || !isSum());
			return (first ? "(" + this.left + ")" : this.left) + " " + this.operator + " "
					+ (second ? "(" + this.right + ")" : this.right);
		}

	}

}
