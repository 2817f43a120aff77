package io.gatewaybench.internal;

/**
 * How an exchange ended: the class of its status code, as Spring's and Micrometer's own
 * HTTP meters name it, or {@link #ABORTED}.
 */
public enum Outcome {

	/** 1xx. */
	INFORMATIONAL,

	/** 2xx. */
	SUCCESS,

	/** 3xx. */
	REDIRECTION,

	/** 4xx. */
	CLIENT_ERROR,

	/** 5xx. */
	SERVER_ERROR,

	/** 6xx to 9xx, which no specification gives a meaning. */
	UNKNOWN,

	/** There was no response, or the transfer of the response broke. */
	ABORTED;

	public static Outcome of(int status, boolean completed) {
		if (!completed || status < 100 || status > 999) {
			return ABORTED;
		}
		return switch (status / 100) {
			case 1 -> INFORMATIONAL;
			case 2 -> SUCCESS;
			case 3 -> REDIRECTION;
			case 4 -> CLIENT_ERROR;
			case 5 -> SERVER_ERROR;
			default -> UNKNOWN;
		};
	}

	/**
	 * A status code as the value of a tag.
	 */
	public static String status(int code) {
		return (code < 100 || code > 999) ? "none" : Integer.toString(code);
	}

}
