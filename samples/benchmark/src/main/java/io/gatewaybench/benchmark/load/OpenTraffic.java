package io.gatewaybench.benchmark.load;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.SplittableRandom;

import org.jspecify.annotations.Nullable;

/**
 * The open model: requests start by a schedule that was fixed before the first answer.
 * One that finds every connection busy waits with its clock running, and none is left
 * out, so nothing the target does can hide from the latencies (coordinated omission).
 */
final class OpenTraffic implements Traffic {

	private static final int LARGEST_QUEUE = 1_000_000;

	private final ConnectionPool pool;

	private final Timers timers;

	private final StageRecorder recorder;

	private final Supplier<PreparedRequest> requests;

	private final ArrivalSchedule schedule;

	private final long start;

	private final long shortestSleepNanos;

	// In the order in which they became free, so that all are used equally often. A set,
	// as
	// thousands may be closed at once
	private final LinkedHashSet<Connection> free = new LinkedHashSet<>();

	private final Queue<Waiting> waiting = new ArrayDeque<>();

	private final int queueCapacity;

	private long nextOffset;

	private boolean stopped;

	private boolean ended;

	private Outcome openOutcome = Outcome.REFUSED;

	private String openFailure = "no connection";

	private final Runnable whenOver;

	OpenTraffic(LoadPlan plan, Stage stage, ConnectionPool pool, Timers timers, StageRecorder recorder, RequestMix mix,
			SplittableRandom random, long start, long shortestSleepNanos, Runnable whenOver) {
		this.pool = pool;
		this.timers = timers;
		this.recorder = recorder;
		this.schedule = new ArrivalSchedule(stage, random.split());
		this.requests = () -> mix.next(random);
		this.start = start;
		this.shortestSleepNanos = shortestSleepNanos;
		this.whenOver = whenOver;
		this.queueCapacity = queueCapacity(plan, stage, pool);
	}

	// What arrives in one response timeout: a request behind all of that is late anyway
	private static int queueCapacity(LoadPlan plan, Stage stage, ConnectionPool pool) {
		double arrivals = stage.peakRate() * plan.timeouts().response().toNanos() / 1e9;
		return (int) Math.min(LARGEST_QUEUE, Math.ceil(arrivals) + pool.connections().size());
	}

	@Override
	public void start() {
		for (Connection connection : this.pool.connections()) {
			if (connection.isOpen()) {
				this.free.add(connection);
			}
			else if (!connection.isOpening()) {
				connection.open();
			}
		}
		this.nextOffset = this.schedule.next();
		wakeUp();
	}

	private void wakeUp() {
		sendDue();
		if (!this.stopped && this.nextOffset != ArrivalSchedule.END) {
			long sleep = this.nextOffset - (System.nanoTime() - this.start);
			this.timers.after(Math.max(sleep, this.shortestSleepNanos), this::wakeUp);
		}
	}

	// Only what was due at the beginning, so that responses are read in between
	private void sendDue() {
		long due = System.nanoTime() - this.start;
		while (this.nextOffset <= due && !this.stopped) {
			long now = System.nanoTime();
			long intended = this.start + this.nextOffset;
			PreparedRequest request = this.requests.get();
			this.nextOffset = this.schedule.next();
			this.recorder.intended(request.type(), intended);
			this.recorder.lag(intended, now);
			sendOrQueue(request, intended, now);
		}
	}

	private void sendOrQueue(PreparedRequest request, long intended, long now) {
		if (!this.free.isEmpty()) {
			this.free.removeFirst().send(request, this.recorder, intended, now);
		}
		else if (!this.pool.isReachable()) {
			this.recorder.failed(request, this.openOutcome, intended, now, this.openFailure);
		}
		else if (this.waiting.size() < this.queueCapacity) {
			this.waiting.add(new Waiting(request, intended));
			this.recorder.queued();
		}
		else {
			this.recorder.failed(request, Outcome.ABORTED, intended, now,
					"%d requests wait for one of %d connections already".formatted(this.waiting.size(),
							this.pool.connections().size()));
		}
	}

	@Override
	public void end() {
		sendDue();
		this.ended = true;
		tellIfOver();
	}

	@Override
	public void abandon(String reason) {
		this.stopped = true;
		failWaiting(Outcome.ABORTED, reason);
	}

	@Override
	public void free(Connection connection, long now) {
		Waiting next = this.waiting.poll();
		if (next != null) {
			connection.send(next.request, this.recorder, next.intended, now);
		}
		else {
			this.free.add(connection);
			sendDue();
			tellIfOver();
		}
	}

	@Override
	public void closed(Connection connection, @Nullable String reason) {
		boolean wasFree = this.free.remove(connection);
		boolean lostItsRequest = !wasFree && reason == null;
		long pause = lostItsRequest ? 0 : connection.retryDelayNanos();
		if (pause == 0) {
			reopen(connection);
		}
		else {
			this.openOutcome = (reason != null) ? Outcome.REFUSED : Outcome.RESET;
			this.openFailure = (reason != null) ? reason : "the target closes connections before their first request";
			this.timers.after(pause, () -> reopen(connection));
			if (!this.pool.isReachable()) {
				failWaiting(this.openOutcome, this.openFailure);
			}
		}
		tellIfOver();
	}

	private void reopen(Connection connection) {
		if (!this.stopped && !connection.isOpen() && !connection.isOpening()) {
			connection.open();
		}
	}

	private void failWaiting(Outcome outcome, String reason) {
		long now = System.nanoTime();
		for (Waiting each = this.waiting.poll(); each != null; each = this.waiting.poll()) {
			this.recorder.failed(each.request, outcome, each.intended, now, reason);
		}
	}

	private void tellIfOver() {
		if (this.ended && this.waiting.isEmpty() && this.pool.busy() == 0) {
			this.stopped = true;
			this.whenOver.run();
		}
	}

	/**
	 * A request that found every connection busy.
	 */
	private record Waiting(PreparedRequest request, long intended) {
	}

}
