package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to an instance, and to another one if need be. The adapters tell
 * it what happens, it says what to do. The signals of one request come one after the
 * other.
 *
 * <p>
 * What never reached an instance goes to the next one, until each was tried, in want of a
 * free connection only if the {@link RetryBudget} allows it. An instance that does not
 * accept a connection takes the whole time to connect, so after the second one the
 * request is given up, and none that is ejected is tried. What may have reached it is
 * sent once more if the method is idempotent (RFC 9110, section 9.2.2), the request has
 * no body, and the budget allows it; so is what was answered with a failure, or broke
 * off, while nothing of the response has left for the client. No instance gets a request
 * twice, but the only one, if the request met a connection that it had closed, or was
 * told over HTTP/2 that nothing was done with it.
 *
 * @since 0.1.0
 */
public final class UpstreamCall {

	private final Upstream upstream;

	private final boolean repeatable;

	private final GatewayMetrics metrics;

	private final InstanceChooser.Request request;

	private InstanceState state;

	private boolean counted;

	private boolean trial;

	private boolean responded;

	private boolean resent;

	private boolean connectTimedOut;

	private @Nullable UpstreamFailure brokenBy;

	private volatile boolean bodyRead;

	private volatile boolean clientFailed;

	private @Nullable List<InstanceState> tried;

	/**
	 * Begin with the instance that the client's cookie names, or whose turn it is.
	 * @param upstream the upstream
	 * @param method method of the request
	 * @param hasBody whether the request has a body
	 * @param metrics what counts attempts
	 * @param request what the instance is chosen by; need not be known if the upstream
	 * does not {@linkplain Upstream#looksAtRequests() look at it}
	 */
	public UpstreamCall(Upstream upstream, String method, boolean hasBody, GatewayMetrics metrics,
			InstanceChooser.Request request) {
		this.upstream = upstream;
		this.metrics = metrics;
		this.request = request;
		this.repeatable = !hasBody && isIdempotent(method);
		InstanceState known = upstream.remembered(request);
		if (known == null) {
			known = upstream.ejection().trial(this.repeatable);
			this.trial = known != null;
		}
		this.state = (known != null) ? known : upstream.next(request);
		if (upstream.countsRequests()) {
			this.counted = true;
			this.state.requested();
		}
	}

	/**
	 * Whether a request may come again. Methods are case-sensitive (RFC 9110, section
	 * 9.1): nobody knows what {@code get} does.
	 * @param method method of the request
	 * @return whether it is known to do the same when it comes twice
	 */
	public static boolean isIdempotent(String method) {
		return switch (method) {
			case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
			default -> false;
		};
	}

	/**
	 * Whose instances the request goes to.
	 * @return the name of the upstream
	 */
	public String upstream() {
		return this.upstream.name();
	}

	/**
	 * Where to send the request now.
	 * @return the instance
	 */
	public Instance instance() {
		return this.state.instance();
	}

	/**
	 * What keeps the client with {@link #instance()}, which has answered.
	 * @return the value of a {@code Set-Cookie} field, {@code null} if none is needed
	 */
	public @Nullable String cookie() {
		return this.upstream.cookie(this.state, this.request);
	}

	/**
	 * How long to wait.
	 * @return the timeouts of the upstream
	 */
	public UpstreamTimeouts timeouts() {
		return this.upstream.timeouts();
	}

	/**
	 * What the client has to be like.
	 * @return the settings of its connections
	 */
	public ConnectSettings connect() {
		return this.upstream.connect();
	}

	/**
	 * A piece of the request's body has been read, so the request cannot be sent again.
	 */
	public void bodyRead() {
		if (!this.bodyRead) {
			this.bodyRead = true;
		}
	}

	/**
	 * The client did not send its request to the end. The instance may have seen a part
	 * of it; whatever comes of that is no fault of the instance, and no other instance is
	 * to see the part.
	 */
	public void clientFailed() {
		this.clientFailed = true;
	}

	/**
	 * The attempt failed before there was a response. It does not count as an attempt if
	 * the client has failed.
	 * @param failure how
	 * @return whether to send the request again, to what is now {@link #instance()}
	 */
	public boolean failed(UpstreamFailure failure) {
		if (this.clientFailed) {
			return false;
		}
		this.metrics.upstream(this.upstream.name(), instance().authority(), 0);
		blame(failure);
		return resend(failure);
	}

	private boolean resend(UpstreamFailure failure) {
		if (!isAllowed(failure)) {
			return false;
		}
		if (this.tried == null) {
			this.tried = new ArrayList<>();
		}
		boolean closed = isOfConnection(failure) && this.tried.isEmpty();
		this.tried.add(this.state);
		this.connectTimedOut |= failure == UpstreamFailure.CONNECT_TIMEOUT;
		InstanceState next = this.upstream.except(this.tried, !this.connectTimedOut && !closed, this.request);
		if (next == null && closed) {
			next = this.state;
		}
		if (next == null || (isAddedLoad(failure) && !this.upstream.withdrawRetry())) {
			return false;
		}
		this.resent |= !failure.isBeforeSending();
		this.trial &= next == this.state;
		moveTo(next);
		this.metrics.upstream(this.upstream.name(), instance().authority(), UpstreamEvent.RETRY);
		return true;
	}

	/**
	 * The call may end at the same time, on another thread.
	 */
	private synchronized void moveTo(InstanceState next) {
		if (this.counted) {
			this.state.answered();
			next.requested();
		}
		this.state = next;
	}

	/**
	 * The instance has nothing more to do for the request, whatever became of it. May be
	 * called several times, and from any thread.
	 */
	public void end() {
		if (this.upstream.countsRequests()) {
			release();
		}
	}

	private synchronized void release() {
		if (this.counted) {
			this.counted = false;
			this.state.answered();
		}
	}

	private boolean isAllowed(UpstreamFailure failure) {
		if (this.clientFailed || this.bodyRead
				|| (this.connectTimedOut && failure == UpstreamFailure.CONNECT_TIMEOUT)) {
			return false;
		}
		return failure.isBeforeSending()
				|| ((failure.isFaultOfInstance() || failure == UpstreamFailure.CONNECTION_CLOSED) && this.repeatable
						&& !this.resent);
	}

	/**
	 * An instance without a free connection or stream is busy, and the others may be
	 * soon; to one that is not there nothing more is sent.
	 */
	private static boolean isAddedLoad(UpstreamFailure failure) {
		return !failure.isBeforeSending() || failure == UpstreamFailure.NO_CONNECTION
				|| failure == UpstreamFailure.NOT_PROCESSED;
	}

	/**
	 * The same instance may take the request on another connection, or a moment later.
	 */
	private static boolean isOfConnection(UpstreamFailure failure) {
		return failure == UpstreamFailure.CONNECTION_CLOSED || failure == UpstreamFailure.NOT_PROCESSED;
	}

	/**
	 * The response has begun.
	 * @param status its status
	 * @return whether to drop it and to send the request again, to what is now
	 * {@link #instance()}
	 */
	public boolean responded(int status) {
		this.metrics.upstream(this.upstream.name(), instance().authority(), status);
		if (this.upstream.ejection().isFailure(status)) {
			blame(UpstreamFailure.BROKEN);
			return resend(UpstreamFailure.BROKEN);
		}
		this.responded = true;
		if (this.trial) {
			this.trial = false;
			if (this.upstream.ejection().recovered(this.state)) {
				count(UpstreamEvent.RECOVERY);
			}
		}
		return false;
	}

	/**
	 * The response is complete.
	 */
	public void completed() {
		if (this.responded) {
			this.state.succeed();
		}
		end();
	}

	/**
	 * The response broke off.
	 * @param failure how
	 */
	public void broken(UpstreamFailure failure) {
		if (this.responded) {
			this.responded = false;
			this.brokenBy = failure;
			blame(failure);
		}
	}

	/**
	 * Nothing has left for the client.
	 * @return whether to send the request again, to what is now {@link #instance()},
	 * because the response broke off
	 */
	public boolean resend() {
		UpstreamFailure failure = this.brokenBy;
		this.brokenBy = null;
		return failure != null && resend(failure);
	}

	private void blame(UpstreamFailure failure) {
		if (failure.isFaultOfInstance() && !this.clientFailed && this.upstream.ejection().failed(this.state)) {
			count(UpstreamEvent.EJECTION);
		}
	}

	private void count(UpstreamEvent event) {
		this.metrics.upstream(this.upstream.name(), instance().authority(), event);
	}

}
