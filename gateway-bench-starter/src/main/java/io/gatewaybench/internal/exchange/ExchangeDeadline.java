package io.gatewaybench.internal.exchange;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.jspecify.annotations.Nullable;

/**
 * Until when one exchange waits, whose turn it is, the client's or the upstream's, and
 * what is aborted when that takes too long.
 */
public final class ExchangeDeadline implements Abortable {

	private static final AtomicReferenceFieldUpdater<ExchangeDeadline, DeadlineTimer.@Nullable Deadline> DEADLINE = AtomicReferenceFieldUpdater
		.newUpdater(ExchangeDeadline.class, DeadlineTimer.Deadline.class, "deadline");

	private final GatewayExchange exchange;

	private UpstreamTimeouts timeouts = UpstreamTimeouts.NONE;

	private boolean untilClient;

	private @Nullable Abortable underWay;

	private Duration longestPause = Duration.ZERO;

	private @Nullable Abortable sending;

	private volatile DeadlineTimer.@Nullable Deadline deadline;

	ExchangeDeadline(GatewayExchange exchange) {
		this.exchange = exchange;
	}

	void limit(UpstreamTimeouts timeouts) {
		this.timeouts = timeouts;
	}

	/**
	 * The client tells how long it waits itself. What it does not wait for is no failure
	 * of an instance, or a client could have all of them ejected.
	 * @param deadline time from now on, {@code null} if the client has not told it
	 */
	public void limitByClient(@Nullable Duration deadline) {
		Duration response = this.timeouts.response();
		if (deadline != null && (response.isZero() || deadline.compareTo(response) < 0)) {
			this.timeouts = new UpstreamTimeouts(this.timeouts.connect(), deadline, this.timeouts.read());
			this.untilClient = true;
		}
	}

	/**
	 * Limit the time of the client, before the first attempt.
	 * @param pause how long the client may pause while it sends its request; zero for no
	 * limit
	 * @param sending what to abort when the client pauses for longer
	 */
	public void limitClient(Duration pause, Abortable sending) {
		this.longestPause = pause;
		this.sending = sending;
	}

	/**
	 * Begin to wait.
	 * @param underWay what to abort
	 * @param timeout zero for ever, {@code null} for a wait with an end of its own
	 * @return {@code false} if the exchange is over
	 */
	boolean begin(Abortable underWay, @Nullable Duration timeout) {
		this.underWay = underWay;
		DeadlineTimer.Deadline current = (timeout != null) ? usable() : null;
		if (!this.exchange.enter(Phase.WAITING)) {
			close();
			return false;
		}
		if (current != null && timeout != null) {
			current.await(timeout);
		}
		return true;
	}

	/**
	 * Begin to wait for a response.
	 * @param attempt what to abort
	 * @param limited {@code false} if nothing limits the time
	 * @return {@code false} if the exchange is over
	 */
	boolean beginAttempt(Abortable attempt, boolean limited) {
		return begin(attempt, limited ? this.timeouts.response() : null);
	}

	/**
	 * The client is to send its whole request before anything of it is sent on. It is its
	 * turn with each piece.
	 */
	public void requestCollected() {
		DeadlineTimer.Deadline current = usable();
		if (current != null && this.exchange.enter(Phase.SENDING)) {
			current.await(this.longestPause);
		}
	}

	/**
	 * From now on, the body is what may take too long.
	 * @param body {@code null} if nothing can be aborted, and then nothing limits the
	 * time
	 */
	void watch(@Nullable Abortable body) {
		this.underWay = body;
		if (body == null) {
			close();
		}
		else {
			usable();
		}
	}

	/**
	 * Begin to wait for what is left of the body.
	 * @return whether anything can be aborted
	 */
	boolean awaitRest(Duration timeout) {
		DeadlineTimer.Deadline current = (this.underWay != null) ? usable() : null;
		if (current != null) {
			current.await(timeout);
		}
		return current != null;
	}

	void bytesAwaited() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current != null) {
			current.await(this.timeouts.read());
		}
	}

	void arrived() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current != null) {
			current.arrived();
		}
	}

	/** One that has struck does not strike again, so the next wait needs another. */
	private DeadlineTimer.@Nullable Deadline usable() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current == null || current.isExpired()) {
			close();
			current = this.exchange.timer().deadline(this);
			this.deadline = current;
		}
		if (this.exchange.isOver()) {
			// end() may have closed the one before
			close();
			return null;
		}
		return current;
	}

	DeadlineTimer.@Nullable Deadline close() {
		DeadlineTimer.Deadline current = (this.deadline != null) ? DEADLINE.getAndSet(this, null) : null;
		if (current != null) {
			current.close();
		}
		return current;
	}

	/** It is the client's turn to send a piece. */
	public void requestAwaited() {
		turn(Phase.WAITING, Phase.SENDING, this.longestPause);
	}

	/** The client has sent what the upstream has asked for. It is the upstream's turn. */
	public void responseAwaited() {
		turn(Phase.SENDING, Phase.WAITING, this.timeouts.response());
	}

	/** The client has sent its whole request. */
	public void requestComplete() {
		if (this.exchange.enter(Phase.SENDING, Phase.ROUTED)) {
			arrived();
		}
	}

	/**
	 * An upstream may answer while the client still sends. This must not end the wait for
	 * the response: a wait that began after the look at the phase is left alone.
	 */
	private void turn(Phase from, Phase to, Duration timeout) {
		DeadlineTimer.Deadline current = this.deadline;
		long wait;
		do {
			wait = (current != null) ? current.current() : 0;
			if (!this.exchange.enter(from, to)) {
				return;
			}
		}
		while (current != null && !current.replace(wait, timeout));
	}

	/** The end of the exchange, which changes the phase first, is no timeout. */
	boolean isTimedOut() {
		DeadlineTimer.Deadline current = this.deadline;
		return current != null && current.isExpired() && !this.exchange.isOver();
	}

	/** What it means that there is no response in time. */
	UpstreamFailure lateResponse() {
		return this.untilClient ? UpstreamFailure.CLIENT_DEADLINE : UpstreamFailure.RESPONSE_TIMEOUT;
	}

	@Override
	public void abort() {
		Abortable current = (this.exchange.phase() == Phase.SENDING && this.sending != null) ? this.sending
				: this.underWay;
		if (current != null) {
			current.abort();
		}
	}

	/**
	 * The exchange is over.
	 * @param abort whether to abort what is under way, if no timeout has done that
	 */
	void end(boolean abort) {
		DeadlineTimer.Deadline current = close();
		if (abort && (current == null || !current.expire())) {
			abort();
		}
	}

}
