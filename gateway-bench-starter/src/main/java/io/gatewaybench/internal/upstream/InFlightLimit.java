package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests an upstream has at a time. Those beyond the limit wait in the
 * order in which they came, if they may wait, and {@value #MAX_WAITING} of them at most.
 */
public final class InFlightLimit {

	/**
	 * As many as Envoy lets wait for a connection ({@code max_pending_requests}).
	 */
	static final int MAX_WAITING = 1024;

	private final int limit;

	private final Duration maxQueueTime;

	private final Queue<Place> queue = new ArrayDeque<>();

	private int inFlight;

	private long refused;

	/**
	 * Create the limit.
	 * @param limit how many requests there may be at a time
	 * @param maxQueueTime how long a request may wait for its turn; zero if it may not
	 */
	public InFlightLimit(int limit, Duration maxQueueTime) {
		this.limit = limit;
		this.maxQueueTime = maxQueueTime;
	}

	/**
	 * Ask for a place.
	 * @return a place, which is to be left; {@code null} if there is none
	 */
	public synchronized @Nullable Place enter() {
		if (this.inFlight < this.limit) {
			this.inFlight++;
			return new Place(null);
		}
		if (!this.maxQueueTime.isZero() && this.queue.size() < MAX_WAITING) {
			Place waiting = new Place(new CompletableFuture<>());
			this.queue.add(waiting);
			return waiting;
		}
		this.refused++;
		return null;
	}

	/**
	 * {@return after which time the place of a request that waits is to be aborted}
	 */
	public Duration maxQueueTime() {
		return this.maxQueueTime;
	}

	/**
	 * {@return how many requests are in flight, without those that wait}
	 */
	public synchronized int inFlight() {
		return this.inFlight;
	}

	/**
	 * {@return how many requests wait for their turn}
	 */
	public synchronized int waiting() {
		return this.queue.size();
	}

	/**
	 * {@return how many requests have been refused, at once or after they had waited}
	 */
	public synchronized long refused() {
		return this.refused;
	}

	/**
	 * The place of one request. Any thread may use it.
	 */
	public final class Place implements Abortable {

		private final @Nullable CompletableFuture<Boolean> turn;

		private boolean left;

		private Place(@Nullable CompletableFuture<Boolean> turn) {
			this.turn = turn;
		}

		/**
		 * What the request waits for.
		 * @return completes with {@code true} when it is its turn, with {@code false} if
		 * its place is left before; {@code null} if it need not wait
		 */
		public @Nullable CompletableFuture<Boolean> turn() {
			return this.turn;
		}

		/**
		 * The request has waited for too long. One that does not wait any more keeps its
		 * place.
		 */
		@Override
		public void abort() {
			synchronized (InFlightLimit.this) {
				if (!InFlightLimit.this.queue.remove(this)) {
					return;
				}
				this.left = true;
				InFlightLimit.this.refused++;
			}
			complete(this, false);
		}

		/**
		 * Give the place back, to the request that has waited longest. Nothing happens
		 * the second time.
		 */
		public void leave() {
			Place next = null;
			synchronized (InFlightLimit.this) {
				if (this.left) {
					return;
				}
				this.left = true;
				if (!InFlightLimit.this.queue.remove(this)) {
					next = InFlightLimit.this.queue.poll();
					if (next == null) {
						InFlightLimit.this.inFlight--;
					}
				}
			}
			// Not under the lock, as what follows may leave another place
			complete(this, false);
			if (next != null) {
				complete(next, true);
			}
		}

		private static void complete(Place place, boolean granted) {
			if (place.turn != null) {
				place.turn.complete(granted);
			}
		}

	}

}
