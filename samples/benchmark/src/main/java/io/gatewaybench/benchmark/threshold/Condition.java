package io.gatewaybench.benchmark.threshold;

import java.util.List;

import io.gatewaybench.benchmark.result.Metric;
import org.jspecify.annotations.Nullable;

/**
 * What must not hold.
 *
 * @param text how it was written
 * @param load the only load under which it is answered, {@code null} for all
 * @param left the left side
 * @param relation one of {@code > >= < <=}
 * @param number the right side in the unit of the left one, or what its figure is
 * multiplied by
 * @param right the figure of the right side, of the same unit; {@code null} if it is a
 * number
 */
record Condition(String text, @Nullable String load, Figure left, String relation, double number,
		@Nullable Figure right) {

	List<Figure> figures() {
		return (this.right != null) ? List.of(this.left, this.right) : List.of(this.left);
	}

	boolean holds(double one, double other) {
		return switch (this.relation) {
			case ">" -> one > other;
			case ">=" -> one >= other;
			case "<" -> one < other;
			default -> one <= other;
		};
	}

	/**
	 * A metric of a variant.
	 *
	 * @param variant the id of the variant
	 * @param name the name of the metric as it was written
	 * @param metric the metric
	 */
	record Figure(String variant, String name, Metric metric) {

		@Override
		public String toString() {
			return this.variant + "." + this.name;
		}

	}

}
