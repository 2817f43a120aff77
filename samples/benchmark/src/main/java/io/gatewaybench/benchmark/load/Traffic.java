package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * Decides what connections are used for; told by the {@link ConnectionPool} and the
 * {@link StageRun}, on the event loop.
 */
interface Traffic {

	/**
	 * Uses no connection.
	 */
	Traffic NONE = new Traffic() {
	};

	/**
	 * Starts to use connections.
	 */
	default void start() {
	}

	/**
	 * Starts no further request.
	 */
	default void end() {
	}

	/**
	 * Records every request that waits for a connection as aborted.
	 * @param reason why
	 */
	default void abandon(String reason) {
	}

	/**
	 * A connection is open and has nothing to do: it was just opened, or its response is
	 * complete.
	 * @param connection the connection
	 * @param now the time
	 */
	default void free(Connection connection, long now) {
	}

	/**
	 * A connection is closed: it could not be opened, or it ended, during a request
	 * (which is recorded already) or between requests.
	 * @param connection the connection
	 * @param openFailure why it could not be opened, {@code null} if it was open
	 */
	default void closed(Connection connection, @Nullable String openFailure) {
	}

}
