package io.gatewaybench.internal.rewrite;

import org.jspecify.annotations.Nullable;

/**
 * Adds the field by way of a tree, so that members keep their order and numbers their
 * value, but not white space nor the spelling of strings and numbers.
 * <p>
 * Of members with the same key the last one's value counts, in the place of the first
 * one, which is what a tree leaves of them. Half a surrogate pair stays an escape. Unlike
 * RFC 8259, a tree refuses bodies nested deeper than {@value #MAX_DEPTH}, numbers of more
 * than {@value #MAX_NUMBER_DIGITS} digits, and exponents that a {@code BigDecimal}
 * doesn't have.
 */
interface JsonTree {

	/**
	 * Jackson 3's default; Jackson 2's is 1000. The recursion stays far from the end of
	 * the stack.
	 */
	int MAX_DEPTH = 500;

	/**
	 * The default of both; time grows with the square of a number's length.
	 */
	int MAX_NUMBER_DIGITS = 1000;

	/**
	 * Adds the field.
	 * @param json the whole body
	 * @return the new body, or {@code null} if this one is not a valid object
	 */
	@Nullable Rewritten rewrite(String json);

	/**
	 * A body with the field.
	 *
	 * @param outcome how it got there
	 * @param body the new body in UTF-8
	 */
	record Rewritten(RewriteOutcome outcome, byte[] body) {
	}

}
