package io.gatewaybench.internal.exchange;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.exchange.RequestOutcome.Delivery;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.metrics.ExchangeObservation;
import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.upstream.InFlightLimit;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.jspecify.annotations.Nullable;

/**
 * How one exchange waits for its upstream: which attempt or body is under way, and who
 * may still answer.
 */
public final class UpstreamWait implements ProxiedBody {

	private final GatewayExchange exchange;

	private final ExchangeDeadline deadline;

	private @Nullable UpstreamCall call;

	private boolean repeatable;

	private volatile Delivery delivery = Delivery.NONE;

	private boolean held;

	private volatile RequestBodies.@Nullable Upload upload;

	private volatile InFlightLimit.@Nullable Place place;

	UpstreamWait(GatewayExchange exchange) {
		this.exchange = exchange;
		this.deadline = exchange.deadline();
	}

	/**
	 * Ask for a place among the requests that an upstream may have at a time. It is given
	 * back when the response of the upstream is complete, or the exchange is over.
	 * @param upstream the upstream
	 * @return {@code null} if the request may be sent at once. Else it completes when the
	 * request has waited, with what to tell {@link #waited}
	 * @throws UpstreamException if there is no place
	 */
	public @Nullable CompletableFuture<Boolean> enter(Upstream upstream) {
		InFlightLimit limit = upstream.limit();
		if (limit == null) {
			return null;
		}
		// One of an attempt that failed before it began
		leave();
		InFlightLimit.Place entered = limit.enter();
		if (entered == null) {
			throw new UpstreamException(UpstreamFailure.OVERLOADED, null);
		}
		this.place = entered;
		CompletableFuture<Boolean> turn = entered.turn();
		if (turn != null) {
			if (!this.deadline.begin(entered, limit.maxQueueTime())) {
				giveUp(entered);
			}
		}
		// On another thread, end() may not have seen it
		if (this.exchange.isOver()) {
			leave();
		}
		return turn;
	}

	/**
	 * The request has waited for its turn. Not to be called by the thread that ended the
	 * wait, which may be that of the timer.
	 * @param turn whether it is its turn
	 * @throws UpstreamException if it has waited for too long
	 * @throws CancellationException if the exchange is over
	 */
	public void waited(boolean turn) {
		this.exchange.enter(Phase.WAITING, Phase.ROUTED);
		this.deadline.arrived();
		if (this.exchange.isOver()) {
			throw new CancellationException("The request has been given up");
		}
		if (!turn) {
			throw new UpstreamException(UpstreamFailure.OVERLOADED, null);
		}
	}

	private void leave() {
		InFlightLimit.Place current = this.place;
		if (current != null) {
			current.leave();
		}
	}

	/**
	 * The request goes to an instance of an upstream.
	 * @param upstream the upstream
	 * @param method method of the request
	 * @param hasBody whether the request has a body
	 * @param request what the instance is chosen by
	 * @return the call, which knows the instance
	 */
	public UpstreamCall sendTo(Upstream upstream, String method, boolean hasBody, InstanceChooser.Request request) {
		UpstreamCall next = new UpstreamCall(upstream, method, hasBody, this.exchange.outcome().metrics(), request);
		this.call = next;
		this.deadline.limit(upstream.timeouts());
		endCallIfOver();
		return next;
	}

	/** On another thread, {@link #end} may not have seen the call. */
	private void endCallIfOver() {
		if (this.call != null && this.exchange.isOver()) {
			this.call.end();
		}
	}

	/**
	 * The request goes to the address in the URI of its route, once. If it met a closed
	 * connection, it goes there once more.
	 * @param timeouts how long to wait
	 * @param repeatable whether the request may come twice
	 */
	public void sendToAddress(UpstreamTimeouts timeouts, boolean repeatable) {
		this.deadline.limit(timeouts);
		this.repeatable = repeatable;
	}

	/**
	 * {@return the call, {@code null} if the request goes to an address or nowhere yet}
	 */
	public @Nullable UpstreamCall call() {
		return this.call;
	}

	/**
	 * An attempt begins, and the time of {@link UpstreamTimeouts#response()}.
	 * @param attempt what to abort when the time is over, or the exchange
	 * @param limited {@code false} for a WebSocket that the gateway itself passes
	 */
	public void attempt(Abortable attempt, boolean limited) {
		if (!this.deadline.beginAttempt(attempt, limited)) {
			giveUp(attempt);
		}
	}

	private void giveUp(Abortable underWay) {
		endCallIfOver();
		underWay.abort();
	}

	/** A piece of the request's body was read, so the request can't be sent again. */
	public void requestRead() {
		if (this.call != null) {
			this.call.bodyRead();
		}
	}

	/**
	 * The body of the request is sent as it comes.
	 * @param upload its place among such bodies
	 */
	public void uploadBegins(RequestBodies.Upload upload) {
		this.upload = upload;
		// On another thread, end() may not have seen it
		if (this.exchange.isOver()) {
			uploadEnded();
		}
	}

	/** Nothing more of the body of the request will come. */
	public void uploadEnded() {
		RequestBodies.Upload current = this.upload;
		if (current != null) {
			current.end();
		}
	}

	/**
	 * The body of the request broke off. What comes of that is no fault of an instance
	 * that has seen a part of it, and no other one is to see the part.
	 */
	public void requestBroke() {
		if (this.call != null) {
			this.call.clientFailed();
		}
	}

	/**
	 * The attempt is over: the response has begun, or never will. If that was too late,
	 * what ends the attempt has run.
	 */
	public void attemptEnded() {
		this.exchange.enter(Phase.ANSWERED);
		this.deadline.arrived();
	}

	/**
	 * Tell apart why an attempt has no response.
	 * @param error what the client threw, {@code null} if it was aborted before that
	 * @return a cancellation if the exchange is over, a timeout if the upstream's time
	 * is, else the error
	 */
	public RuntimeException failure(@Nullable RuntimeException error) {
		boolean timedOut = error == null || this.deadline.isTimedOut();
		if (this.exchange.isOver()) {
			return (error instanceof CancellationException) ? error
					: new CancellationException("The request has been given up");
		}
		return (error != null && !timedOut) ? error
				: new UpstreamException(this.deadline.lateResponse(), (error != null) ? error : new TimeoutException());
	}

	/**
	 * The attempt failed before there was a response.
	 * @param failure how
	 * @return whether to send the request again, to what is now the instance of the
	 * {@link #call()}, or to pass the failure on
	 */
	public Decision attemptFailed(UpstreamFailure failure) {
		if (this.exchange.outcome().isObserved()) {
			attempts().attemptFailed(failure.name(), new UpstreamException(failure, null));
		}
		boolean again = (this.call != null) ? this.call.failed(failure)
				: this.repeatable && failure == UpstreamFailure.CONNECTION_CLOSED;
		this.repeatable = false;
		return again ? sendAgain() : passOn(Phase.DONE);
	}

	/**
	 * The response has begun.
	 * @param status its status
	 * @return whether to drop it and to send the request again, to what is now the
	 * instance of the {@link #call()}, or to pass it on
	 */
	public Decision responded(int status) {
		attempts().responded(status);
		return (this.call != null && this.call.responded(status)) ? sendAgain() : passOn(Phase.BODY);
	}

	/** The only way to send again, which is closed once the exchange is over. */
	Decision sendAgain() {
		if (!this.exchange.enter(Phase.ROUTED)) {
			return passOn(Phase.DONE);
		}
		this.held = false;
		this.delivery = Delivery.NONE;
		attempts().attemptEnded();
		return Decision.SEND_AGAIN;
	}

	private Decision passOn(Phase next) {
		if (!this.exchange.enter(next) || next == Phase.DONE) {
			this.deadline.close();
		}
		return Decision.PASS_ON;
	}

	/**
	 * The response has failed.
	 * @param committed whether anything of a response has left for the client
	 * @return whether to send the request again, as the body broke off while it was held,
	 * or to pass the failure on
	 */
	public Decision bodyFailed(boolean committed) {
		return (this.held && !committed && this.call != null && this.call.resend()) ? sendAgain() : Decision.PASS_ON;
	}

	/**
	 * The response is with the thread of the client, which is about to get its body. What
	 * ends the exchange from now on ends the body, too.
	 * @return whether the response is wanted; if not, its body has to be dropped
	 */
	public boolean bodyOffered() {
		// Before the phase is read: end() changes the phase before it reads this
		this.delivery = Delivery.OFFERED;
		return !this.exchange.isOver();
	}

	/**
	 * The body is about to be read.
	 * @param body what to abort when the upstream pauses for too long; {@code null} if
	 * nothing can be, and then nothing limits the time
	 * @return the body, to report what happens to it
	 */
	public ProxiedBody bodyBegins(@Nullable Abortable body) {
		this.deadline.watch(body);
		return this;
	}

	@Override
	public void bodyHeld() {
		this.held = true;
	}

	/**
	 * {@return whether the body goes through the rewriter}
	 */
	public boolean isBodyHeld() {
		return this.held;
	}

	@Override
	public void bytesAwaited() {
		this.deadline.bytesAwaited();
	}

	@Override
	public void bytesArrived() {
		this.deadline.arrived();
	}

	@Override
	public boolean restAwaited(Duration timeout) {
		return this.deadline.awaitRest(timeout);
	}

	@Override
	public @Nullable UpstreamException bodyEnded() {
		if (this.deadline.isTimedOut()) {
			return broke(new UpstreamException(UpstreamFailure.BODY_TIMEOUT, null));
		}
		this.deadline.close();
		attempts().attemptEnded();
		if (this.call != null) {
			this.call.completed();
		}
		leave();
		return null;
	}

	@Override
	public UpstreamException bodyBroke(Throwable error) {
		return broke(this.deadline.isTimedOut() ? new UpstreamException(UpstreamFailure.BODY_TIMEOUT, error)
				: UpstreamException.broken(error));
	}

	private UpstreamException broke(UpstreamException broken) {
		this.deadline.close();
		attempts().attemptFailed(broken.failure().name(), broken);
		if (this.call != null && !this.exchange.isOver()) {
			this.call.broken(broken.failure());
		}
		return broken;
	}

	@Override
	public void bodyDropped() {
		this.deadline.close();
	}

	@Override
	public void delivered() {
		this.delivery = Delivery.WHOLE;
	}

	@Override
	public void clientLeft() {
		if (this.delivery != Delivery.WHOLE) {
			this.delivery = Delivery.CUT_OFF;
		}
	}

	Delivery delivery() {
		return this.delivery;
	}

	private ExchangeObservation attempts() {
		return this.exchange.outcome().attemptsOf(this.exchange);
	}

	/**
	 * The exchange has entered its last phase.
	 * @param before the phase before that
	 */
	void end(Phase before) {
		uploadEnded();
		if (this.call != null) {
			this.call.end();
		}
		leave();
		boolean waiting = before == Phase.WAITING || before == Phase.SENDING;
		boolean answered = before == Phase.ANSWERED || before == Phase.BODY;
		this.deadline.end(waiting || (answered && this.delivery == Delivery.NONE));
	}

}
