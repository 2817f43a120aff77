package io.gatewaybench.internal.rewrite;

/**
 * What became of one body.
 */
public enum RewriteOutcome {

	/** The field was added as the last member. */
	ADDED("added"),

	/** The field was there already and has a new value in the same place. */
	REPLACED("replaced"),

	/** Not a valid JSON object, so it leaves byte for byte. */
	UNCHANGED("unchanged"),

	/** Longer than the engine may hold, so it leaves byte for byte. */
	TOO_LARGE("too-large");

	private final String tag;

	RewriteOutcome(String tag) {
		this.tag = tag;
	}

	/**
	 * Returns the name of this outcome in metrics.
	 * @return lower-case words joined by hyphens
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * Tells whether the body that leaves differs from the one that came.
	 * @return {@code false} when it is the same byte for byte
	 */
	public boolean isChanged() {
		return this == ADDED || this == REPLACED;
	}

}
