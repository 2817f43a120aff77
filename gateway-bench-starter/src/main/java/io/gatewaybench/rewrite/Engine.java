package io.gatewaybench.rewrite;

/**
 * The ways to add the field to a body.
 *
 * @since 0.1.0
 */
public enum Engine {

	/**
	 * Walks through the bytes as they come and puts the field between them; needs no
	 * library.
	 */
	SPLICE,

	/** Holds the body and builds a tree with Jackson 3 ({@code tools.jackson}). */
	JACKSON3,

	/**
	 * Holds the body and builds a tree with Jackson 2 ({@code com.fasterxml.jackson}).
	 */
	JACKSON2

}
