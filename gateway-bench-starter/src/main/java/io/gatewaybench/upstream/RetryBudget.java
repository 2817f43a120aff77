package io.gatewaybench.upstream;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Limits retries to a share of the requests, so that an upstream in trouble does not get
 * twice the load. Requests are counted by the caller, so those that are not retried cost
 * nothing here.
 *
 * <p>
 * As Finagle's {@code RetryBudget}: a fifth of the requests of the last ten seconds, and
 * ten retries per second in any case; here "the last ten seconds" are the current window
 * of ten seconds and the one before it.
 *
 * @see <a href= "https://twitter.github.io/finagle/guide/Clients.html#retries">Finagle's
 * guide</a>
 */
final class RetryBudget {

	private static final long WINDOW_NANOS = 10_000_000_000L;

	private static final int PERCENT = 20;

	private static final int RESERVE = 100;

	private final AtomicReference<Window> window;

	RetryBudget(long now, long requests) {
		this.window = new AtomicReference<>(new Window(now, requests, requests, 0, 0));
	}

	/**
	 * Take one retry out of the budget.
	 * @param now nanoseconds of the clock
	 * @param requests number of requests so far
	 * @return whether there was one left
	 */
	boolean withdraw(long now, long requests) {
		while (true) {
			Window current = this.window.get();
			Window next = current.at(now, requests);
			if (next.spent + next.spentBefore >= RESERVE + (requests - next.requestsBefore) * PERCENT / 100) {
				return false;
			}
			if (this.window.compareAndSet(current, next.spend())) {
				return true;
			}
		}
	}

	/**
	 * Ten seconds, and what is still to be known of the ten before.
	 *
	 * @param start when it began
	 * @param requests number of requests at that moment
	 * @param requestsBefore number of requests when the window before began
	 * @param spent retries in this window
	 * @param spentBefore retries in the window before
	 */
	private record Window(long start, long requests, long requestsBefore, int spent, int spentBefore) {

		Window at(long now, long requestsNow) {
			long age = now - this.start;
			if (age < WINDOW_NANOS) {
				return this;
			}
			if (age < 2 * WINDOW_NANOS) {
				return new Window(now, requestsNow, this.requests, 0, this.spent);
			}
			// Nobody looked for long, so the rate since then has to stand for the last of
			// it
			long recent = (long) ((requestsNow - this.requests) * ((double) WINDOW_NANOS / age));
			return new Window(now, requestsNow, requestsNow - recent, 0, 0);
		}

		Window spend() {
			return new Window(this.start, this.requests, this.requestsBefore, this.spent + 1, this.spentBefore);
		}

	}

}
