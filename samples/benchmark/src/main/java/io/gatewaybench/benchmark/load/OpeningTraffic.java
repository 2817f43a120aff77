package io.gatewaybench.benchmark.load;

import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * Opens every connection before a stage, so that the stage does not measure its own
 * start. A few at a time, because a burst of connections overflows the backlog of a
 * target that is up to all of them; and only until the first failure, because a target
 * that refuses is to be measured, not waited for.
 */
final class OpeningTraffic implements Traffic {

	static final int AT_A_TIME = 32;

	private final Iterator<Connection> connections;

	private final Runnable whenOver;

	private int opening;

	private boolean failed;

	/**
	 * Opens the connections of a stage.
	 * @param pool the connections
	 * @param whenOver run once at least as soon as they are open
	 */
	OpeningTraffic(ConnectionPool pool, Runnable whenOver) {
		this.connections = pool.connections().iterator();
		this.whenOver = whenOver;
	}

	@Override
	public void start() {
		while (!this.failed && this.opening < AT_A_TIME && this.connections.hasNext()) {
			Connection connection = this.connections.next();
			if (!connection.isOpen()) {
				this.opening++;
				if (!connection.isOpening()) {
					connection.open();
				}
			}
		}
		if (this.opening == 0) {
			this.whenOver.run();
		}
	}

	@Override
	public void free(Connection connection, long now) {
		settled();
	}

	@Override
	public void closed(Connection connection, @Nullable String openFailure) {
		if (openFailure != null) {
			this.failed = true;
			settled();
		}
	}

	private void settled() {
		this.opening--;
		start();
	}

}
