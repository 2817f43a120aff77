package io.gatewaybench.metrics;

/**
 * How an exchange ended: the class of its status code, as Spring's and Micrometer's own
 * HTTP meters name it, or {@link #ABORTED}.
 */
enum Outcome {

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

	static Outcome of(int status, boolean completed) {
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

}
