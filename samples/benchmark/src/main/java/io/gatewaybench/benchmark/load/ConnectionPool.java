package io.gatewaybench.benchmark.load;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a run, kept from stage to stage, with their counters and their
 * response timeout.
 */
final class ConnectionPool {

	private static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final List<Connection> connections = new ArrayList<>();

	private final Connector connector;

	private final Timers timers;

	private final long responseTimeoutNanos;

	private Traffic traffic = Traffic.NONE;

	private int size;

	private int open;

	private int opening;

	private int busy;

	private long reconnects;

	ConnectionPool(LoadPlan plan, InetSocketAddress target, EventLoop loop, Transport transport, Timers timers) {
		this.timers = timers;
		this.responseTimeoutNanos = plan.timeouts().response().toNanos();
		this.connector = new Connector(plan, target, loop, transport);
		for (int i = 0; i < plan.workload().connections(); i++) {
			this.connections.add(new Connection(this, i));
		}
		this.size = this.connections.size();
		timers.every(Math.max(this.responseTimeoutNanos / 100, SHORTEST_LOOK_NANOS), this::expire);
	}

	/**
	 * Begins a stage: counts anew, and uses only the first connections; the others stay
	 * as they are.
	 * @param count how many
	 */
	void begin(int count) {
		this.size = count;
		this.reconnects = 0;
	}

	/**
	 * Closes all connections for good.
	 */
	void close() {
		this.size = 0;
		this.connections.forEach(Connection::retire);
		this.connector.close();
	}

	void use(Traffic newTraffic) {
		this.traffic = newTraffic;
	}

	/**
	 * The connections that are used.
	 * @return those of the stage
	 */
	List<Connection> connections() {
		return this.connections.subList(0, this.size);
	}

	/**
	 * Whether a connection is open or being opened.
	 * @return whether it makes sense to wait for one
	 */
	boolean isReachable() {
		return this.open + this.opening > 0;
	}

	int busy() {
		return this.busy;
	}

	long reconnects() {
		return this.reconnects;
	}

	/**
	 * Ends every request that has been waiting for its response for too long.
	 */
	void expire() {
		long now = System.nanoTime();
		this.connections.forEach((connection) -> connection.expire(now, this.responseTimeoutNanos));
	}

	/**
	 * Records every request in flight as aborted and closes its connection, without
	 * telling the traffic.
	 * @param reason why
	 */
	void abortBusy(String reason) {
		long now = System.nanoTime();
		for (Connection connection : this.connections) {
			if (connection.isBusy()) {
				connection.fail(Outcome.ABORTED, now, reason);
			}
		}
	}

	Connector connector() {
		return this.connector;
	}

	void opening() {
		this.opening++;
	}

	void opened(Connection connection, boolean again) {
		this.opening--;
		this.open++;
		this.reconnects += again ? 1 : 0;
		free(connection, System.nanoTime());
	}

	void openFailed(Connection connection, String reason) {
		this.opening--;
		closed(connection, reason);
	}

	void sent() {
		this.busy++;
	}

	void over() {
		this.busy--;
	}

	void free(Connection connection, long now) {
		if (connection.index() < this.size) {
			this.traffic.free(connection, now);
		}
	}

	void closing() {
		this.open--;
	}

	void closed(Connection connection, @Nullable String openFailure) {
		if (connection.index() < this.size) {
			this.traffic.closed(connection, openFailure);
		}
	}

	Timers timers() {
		return this.timers;
	}

}
