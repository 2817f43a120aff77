package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * Decides what connections are used for; told by the {@link ConnectionPool}, on the event
 * loop.
 */
interface Traffic {

	/**
	 * Uses no connection.
	 */
	Traffic NONE = new Traffic() {

		@Override
		public void free(Connection connection, long now) {
		}

		@Override
		public void closed(Connection connection, @Nullable String openFailure) {
		}

	};

	/**
	 * A connection is open and has nothing to do: it was just opened, or its response is
	 * complete.
	 * @param connection the connection
	 * @param now the time
	 */
	void free(Connection connection, long now);

	/**
	 * A connection is closed: it could not be opened, or it ended, during a request
	 * (which is recorded already) or between requests.
	 * @param connection the connection
	 * @param openFailure why it could not be opened, {@code null} if it was open
	 */
	void closed(Connection connection, @Nullable String openFailure);

}
