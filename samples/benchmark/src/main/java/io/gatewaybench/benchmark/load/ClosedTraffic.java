package io.gatewaybench.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The closed model: as many users as connections, each of which takes its next turn when
 * its last one is over. A user whose turns are all over closes its connection, which a
 * target that is full may give to another one.
 */
final class ClosedTraffic implements Traffic {

	// Longer than it takes to send one. Otherwise all of thousands are sent before the
	// first response is read, and the first would seem slow
	private static final long LEAST_DISTANCE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private final List<User> users = new ArrayList<>();

	private final Timers timers;

	private final StageRecorder recorder;

	private final Supplier<PreparedRequest> requests;

	private final long start;

	private final long durationNanos;

	private final long thinkNanos;

	private final long spreadNanos;

	private final long iterations;

	private final Runnable whenOver;

	private int usersLeft;

	private int turns;

	private boolean ended;

	ClosedTraffic(LoadPlan plan, Stage stage, ConnectionPool pool, Timers timers, StageRecorder recorder,
			RequestMix mix, SplittableRandom random, long start, Runnable whenOver) {
		this.timers = timers;
		this.recorder = recorder;
		this.requests = () -> mix.next(random);
		this.start = start;
		this.durationNanos = stage.sending().toNanos();
		this.thinkNanos = plan.workload().thinkTime().toNanos();
		// Users that begin together would wait for each other, and pause together
		this.spreadNanos = Math.max(this.thinkNanos, stage.lead().toNanos());
		this.iterations = (stage.iterations() > 0) ? stage.iterations() : Long.MAX_VALUE;
		this.whenOver = whenOver;
		pool.connections().forEach((connection) -> this.users.add(new User(connection)));
		this.usersLeft = this.users.size();
	}

	@Override
	public void start() {
		long distanceNanos = Math.max(this.spreadNanos / this.users.size(), LEAST_DISTANCE_NANOS);
		for (int i = 0; i < this.users.size(); i++) {
			User user = this.users.get(i);
			this.timers.after(distanceNanos * i, () -> user.turn(System.nanoTime()));
		}
	}

	@Override
	public void end() {
		this.ended = true;
		tellIfOver();
	}

	@Override
	public void abandon(String reason) {
		this.ended = true;
		this.users.forEach((user) -> user.failWaiting(Outcome.ABORTED, System.nanoTime(), reason));
	}

	@Override
	public void free(Connection connection, long now) {
		this.users.get(connection.index()).connectionFree(now);
	}

	@Override
	public void closed(Connection connection, @Nullable String openFailure) {
		this.users.get(connection.index()).connectionClosed(openFailure);
	}

	private void tellIfOver() {
		if (this.turns == 0 && (this.ended || this.usersLeft == 0)) {
			this.whenOver.run();
		}
	}

	private final class User {

		private final Connection connection;

		private long left = ClosedTraffic.this.iterations;

		private boolean inTurn;

		private @Nullable PreparedRequest waiting;

		private long waitingSince;

		User(Connection connection) {
			this.connection = connection;
		}

		void turn(long now) {
			if (ClosedTraffic.this.ended || now - ClosedTraffic.this.start >= ClosedTraffic.this.durationNanos) {
				return;
			}
			PreparedRequest request = ClosedTraffic.this.requests.get();
			ClosedTraffic.this.recorder.intended(request.type(), now);
			ClosedTraffic.this.turns++;
			this.inTurn = true;
			this.waiting = request;
			this.waitingSince = now;
			if (this.connection.isOpen()) {
				connectionFree(now);
			}
			else if (!this.connection.isOpening()) {
				this.connection.open();
			}
		}

		void connectionFree(long now) {
			PreparedRequest request = this.waiting;
			if (request != null) {
				this.waiting = null;
				this.connection.send(request, ClosedTraffic.this.recorder, this.waitingSince, now);
			}
			else if (this.inTurn) {
				turnOver(ClosedTraffic.this.thinkNanos, now);
			}
		}

		void connectionClosed(@Nullable String openFailure) {
			long now = System.nanoTime();
			if (openFailure != null) {
				failWaiting(Outcome.REFUSED, now, openFailure);
			}
			if (this.inTurn) {
				turnOver(Math.max(ClosedTraffic.this.thinkNanos, this.connection.retryDelayNanos()), now);
			}
		}

		private void turnOver(long pauseNanos, long now) {
			this.inTurn = false;
			this.left--;
			ClosedTraffic.this.turns--;
			if (this.left == 0) {
				this.connection.retire();
				ClosedTraffic.this.usersLeft--;
			}
			else if (pauseNanos > 0) {
				ClosedTraffic.this.timers.after(pauseNanos, () -> turn(System.nanoTime()));
			}
			else {
				turn(now);
			}
			tellIfOver();
		}

		void failWaiting(Outcome outcome, long now, String reason) {
			PreparedRequest request = this.waiting;
			if (request != null) {
				this.waiting = null;
				ClosedTraffic.this.recorder.failed(request, outcome, this.waitingSince, now, reason);
			}
		}

	}

}
