package io.gatewaybench.benchmark.threshold;

import java.util.Arrays;
import java.util.Optional;

/**
 * How a condition compares its two sides.
 */
enum Relation {

	MORE(">"), AT_LEAST(">="), LESS("<"), AT_MOST("<=");

	private final String symbol;

	Relation(String symbol) {
		this.symbol = symbol;
	}

	static Optional<Relation> of(String symbol) {
		return Arrays.stream(values()).filter((relation) -> relation.symbol.equals(symbol)).findFirst();
	}

	boolean holds(double left, double right) {
		return switch (this) {
			case MORE -> left > right;
			case AT_LEAST -> left >= right;
			case LESS -> left < right;
			case AT_MOST -> left <= right;
		};
	}

	@Override
	public String toString() {
		return this.symbol;
	}

}
