package io.gatewaybench.benchmark.threshold;

import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.threshold.Expression.Figure;

/**
 * What must not hold. As a text it can be read again.
 *
 * @param left the left side
 * @param relation how both sides are compared
 * @param right the right side, of the same dimension
 */
record Condition(Expression left, Relation relation, Expression right) {

	List<Figure> figures() {
		return Stream.concat(this.left.figures(), this.right.figures()).distinct().toList();
	}

	boolean subtracts() {
		return this.left.subtracts() || this.right.subtracts();
	}

	@Override
	public String toString() {
		return this.left + " " + this.relation + " " + this.right;
	}

}
