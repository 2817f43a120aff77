package io.gatewaybench.exchange;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.ExchangeObservation;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.Abortable;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.DeadlineTimer;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * One request, from its arrival to the last byte of its response. It owns all state that
 * the starter keeps for the request. The adapters report what happens, and it decides
 * what follows.
 *
 * <pre>
 * ARRIVED -- route --> ROUTED -- attempt --> WAITING &lt;--> SENDING
 *                        ^                    |
 *                        |                attemptEnded
 *                        |                    v
 *                        +-- SEND_AGAIN -- ANSWERED -- responded --> BODY -- end --> DONE
 * </pre>
 *
 * {@link #end()} leads to {@link Phase#DONE} from every phase.
 * <p>
 * An exchange belongs to one route and one call of the gateway's client. If the gateway
 * routes the request again, or sends it again by its own retry filter, another exchange
 * takes over ({@link #reroute()}, {@link #restart()}). Late signals of the old one then
 * change nothing.
 * <p>
 * Several threads report: the client's, the upstream's and the {@link DeadlineTimer}'s.
 * There is no lock. The phase changes in one step, and so do the deadline and the
 * delivery; what else a thread has to see is written before one of them.
 *
 * @since 0.1.0
 */
public final class GatewayExchange implements Abortable {

	private static final AtomicReferenceFieldUpdater<GatewayExchange, Phase> PHASE = AtomicReferenceFieldUpdater
		.newUpdater(GatewayExchange.class, Phase.class, "phase");

	private static final AtomicReferenceFieldUpdater<GatewayExchange, DeadlineTimer.@Nullable Deadline> DEADLINE = AtomicReferenceFieldUpdater
		.newUpdater(GatewayExchange.class, DeadlineTimer.Deadline.class, "deadline");

	private static final AtomicIntegerFieldUpdater<GatewayExchange> COUNTED = AtomicIntegerFieldUpdater
		.newUpdater(GatewayExchange.class, "counted");

	/** The first exchange of the request, which knows what all of them have to know. */
	private final GatewayExchange first;

	private final GatewayMetrics metrics;

	private final GatewayObservations observations;

	private final DeadlineTimer timer;

	private final long arrived;

	private volatile Phase phase;

	private volatile boolean clientFailed;

	private volatile int counted;

	private volatile ExchangeObservation observation = ExchangeObservation.NONE;

	private @Nullable RouteFeatures declared;

	private @Nullable RouteFeatures requested;

	private @Nullable String route;

	private RouteFeatures features = RouteFeatures.NONE;

	private boolean upstreamNamed;

	private boolean handled;

	private @Nullable UpstreamCall call;

	private UpstreamTimeouts timeouts = UpstreamTimeouts.NONE;

	private @Nullable Abortable underWay;

	private volatile DeadlineTimer.@Nullable Deadline deadline;

	private volatile Delivery delivery = Delivery.NONE;

	private boolean held;

	private boolean whole;

	/**
	 * Begin with a request that has just arrived.
	 * @param metrics what counts it
	 * @param observations what observes it
	 * @param timer what ends waiting for an upstream
	 */
	public GatewayExchange(GatewayMetrics metrics, GatewayObservations observations, DeadlineTimer timer) {
		this.first = this;
		this.metrics = metrics;
		this.observations = observations;
		this.timer = timer;
		this.arrived = System.nanoTime();
		this.phase = Phase.ARRIVED;
	}

	private GatewayExchange(GatewayExchange previous, Phase phase) {
		this.first = previous.first;
		this.metrics = previous.metrics;
		this.observations = previous.observations;
		this.timer = previous.timer;
		this.arrived = previous.arrived;
		this.phase = phase;
		this.route = previous.route;
		this.features = previous.features;
		this.upstreamNamed = previous.upstreamNamed;
		this.handled = previous.handled;
	}

	/**
	 * The gateway routes the request again, as a circuit breaker does with a fallback.
	 * Features that the old route has asked for do not apply to the new one.
	 * @return the exchange that takes over, to be routed
	 */
	public GatewayExchange reroute() {
		end();
		return new GatewayExchange(this, Phase.ARRIVED);
	}

	/**
	 * The gateway sends the request again on the same route, as its retry filter does.
	 * @return the exchange that takes over, with the same features
	 */
	public GatewayExchange restart() {
		end();
		return new GatewayExchange(this, Phase.ROUTED);
	}

	/**
	 * Where the exchange is.
	 * @return the phase
	 */
	public Phase phase() {
		return this.phase;
	}

	/**
	 * Enter a phase, unless the exchange is over.
	 */
	private boolean enter(Phase next) {
		Phase current = this.phase;
		while (current != Phase.DONE && !PHASE.compareAndSet(this, current, next)) {
			current = this.phase;
		}
		return current != Phase.DONE;
	}

	// The route and its features

	/**
	 * The request is on a route of the starter.
	 * @param features what the route has
	 */
	public void declare(RouteFeatures features) {
		this.declared = features;
	}

	/**
	 * A filter of the route asks for a feature by name.
	 * @param feature the feature
	 */
	public void request(Feature feature) {
		this.requested = RouteFeatures.request(this.requested, feature);
	}

	/**
	 * The route is known, and so is what its filters ask for. A route that needs no HTTP
	 * client, such as {@code forward:} or {@code ws:}, has no features.
	 * @param route id of the route
	 * @param target URI of the route
	 * @param scope features that are on
	 * @return the features of the exchange from now on
	 */
	public RouteFeatures route(@Nullable String route, URI target, FeatureScope scope) {
		this.route = route;
		this.upstreamNamed = Upstreams.isUpstream(target);
		boolean proxied = this.upstreamNamed || Instance.isAddressedBy(target) || isBalanced(target);
		this.features = proxied ? scope.resolve(this.declared, this.requested) : RouteFeatures.NONE;
		this.handled = applies() || (proxied && scope.everyRoute());
		this.first.observation.route(route);
		enter(Phase.ROUTED);
		return this.features;
	}

	// lb:ws://orders is what the gateway opens a WebSocket with
	private static boolean isBalanced(URI target) {
		return "lb".equalsIgnoreCase(target.getScheme())
				&& !(target.isOpaque() && target.getRawSchemeSpecificPart().startsWith("ws"));
	}

	/**
	 * Whether to {@link #observe} the exchange from now on, as its route is known.
	 * @return {@code false} if it is observed already, or nothing is
	 */
	public boolean isToBeObserved() {
		return this.observations.isOn() && this.handled && !isObserved();
	}

	/**
	 * Begin to observe the exchange.
	 * @param server what the observation of the server knows, {@code null} if the server
	 * is not observed
	 */
	public void observe(Observation.@Nullable ContextView server) {
		this.first.observation = this.observations.exchange(this.route, server);
	}

	/**
	 * Whether the exchange is observed, and each of its attempts.
	 * @return {@code false} if the gateway's own client may observe requests
	 */
	public boolean isObserved() {
		return this.first.observation != ExchangeObservation.NONE;
	}

	/**
	 * What observes the attempts of the exchange. Once it is over, another exchange of
	 * the request may have attempts.
	 */
	private ExchangeObservation attempts() {
		return (this.phase != Phase.DONE) ? this.first.observation : ExchangeObservation.NONE;
	}

	/**
	 * Which route the request takes.
	 * @return the id of the route, or {@code null} if it has none
	 */
	public @Nullable String routeId() {
		return this.route;
	}

	/**
	 * What the route does to the request and its response.
	 * @return the features, none before there is a route
	 */
	public RouteFeatures features() {
		return this.features;
	}

	/**
	 * Whether the starter has anything to do with the request: its route has a feature or
	 * names an upstream.
	 * @return {@code false} if the request has to pass as without the starter
	 */
	public boolean applies() {
		return this.upstreamNamed || !this.features.isEmpty();
	}

	// The request on its way to the upstream

	/**
	 * The request goes to an instance of an upstream.
	 * @param upstream the upstream
	 * @param method method of the request
	 * @param hasBody whether the request has a body
	 * @return the call, which knows the instance
	 */
	public UpstreamCall sendTo(Upstream upstream, String method, boolean hasBody) {
		UpstreamCall next = new UpstreamCall(upstream, method, hasBody, this.metrics);
		this.call = next;
		this.timeouts = upstream.timeouts();
		endCallIfDone();
		return next;
	}

	/**
	 * On another thread, {@link #end()} may not have seen the call.
	 */
	private void endCallIfDone() {
		if (this.phase == Phase.DONE && this.call != null) {
			this.call.end();
		}
	}

	/**
	 * The request goes to the address in the URI of its route, once.
	 * @param timeouts how long to wait
	 */
	public void sendToAddress(UpstreamTimeouts timeouts) {
		this.timeouts = timeouts;
	}

	/**
	 * Where to send the request now, on the way to an upstream.
	 * @return the call, or {@code null} if the request goes to an address or nowhere yet
	 */
	public @Nullable UpstreamCall call() {
		return this.call;
	}

	/**
	 * The headers of the request are complete, and it is about to be sent.
	 * @param target URL at the instance
	 * @param headers headers of the request, which may get what makes a trace go on
	 */
	public void sending(URI target, HttpHeaders headers) {
		if (isObserved()) {
			UpstreamCall current = this.call;
			String host = String.valueOf(target.getHost());
			attempts().attempt((current != null) ? current.upstream() : null,
					(target.getPort() != -1) ? host + ":" + target.getPort() : host, headers);
		}
	}

	/**
	 * An attempt begins. The upstream has the time of
	 * {@link UpstreamTimeouts#response()}.
	 * @param attempt what to abort when the time is over, or when the client does not
	 * wait for the response any more
	 * @param limited {@code false} for a web socket, whose session has no moment at which
	 * the response begins
	 */
	public void attempt(Abortable attempt, boolean limited) {
		this.underWay = attempt;
		Duration timeout = limited ? this.timeouts.response() : Duration.ZERO;
		DeadlineTimer.Deadline current = timeout.isZero() ? null : usableDeadline();
		if (!enter(Phase.WAITING)) {
			endCallIfDone();
			closeDeadline();
			attempt.abort();
		}
		else if (current != null) {
			current.await(timeout);
		}
	}

	/**
	 * A deadline that has struck does not strike again, so the next wait needs another.
	 * @return {@code null} if the exchange is over
	 */
	private DeadlineTimer.@Nullable Deadline usableDeadline() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current == null || current.isExpired()) {
			closeDeadline();
			current = this.timer.deadline(this);
			this.deadline = current;
		}
		if (this.phase == Phase.DONE) {
			// end() may have closed the one before
			closeDeadline();
			return null;
		}
		return current;
	}

	private DeadlineTimer.@Nullable Deadline closeDeadline() {
		DeadlineTimer.Deadline current = (this.deadline != null) ? DEADLINE.getAndSet(this, null) : null;
		if (current != null) {
			current.close();
		}
		return current;
	}

	/**
	 * Abort what is under way, an attempt or a body. Its time is over.
	 */
	@Override
	public void abort() {
		Abortable current = this.underWay;
		if (current != null) {
			current.abort();
		}
	}

	/**
	 * It is the client's turn to send a piece of the request's body, and its time is not
	 * limited here.
	 */
	public void requestAwaited() {
		turn(Phase.WAITING, Phase.SENDING, Duration.ZERO);
	}

	/**
	 * The client has sent a piece of the request's body, so the request can't be sent
	 * again.
	 */
	public void requestRead() {
		if (this.call != null) {
			this.call.bodyRead();
		}
	}

	/**
	 * The client has sent what the upstream has asked for. It is the upstream's turn.
	 */
	public void responseAwaited() {
		turn(Phase.SENDING, Phase.WAITING, this.timeouts.response());
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
			if (this.phase != to && !PHASE.compareAndSet(this, from, to)) {
				return;
			}
		}
		while (current != null && !current.replace(wait, timeout));
	}

	/**
	 * The body of the request broke off. An instance may have seen a part of it: whatever
	 * comes of that is no fault of the instance, and no other one is to see the part.
	 */
	public void requestBroke() {
		if (this.call != null) {
			this.call.clientFailed();
		}
	}

	/**
	 * The client did not send its request to the end.
	 */
	public void clientFailed() {
		this.first.clientFailed = true;
		requestBroke();
	}

	/**
	 * Whether the client did not send its request to the end.
	 * @return whether {@link #clientFailed()} was reported
	 */
	public boolean hasClientFailed() {
		return this.first.clientFailed;
	}

	/**
	 * The attempt is over: the response has begun, or never will.
	 * @return whether it was in time; if not, what ends the attempt has run
	 */
	public boolean attemptEnded() {
		enter(Phase.ANSWERED);
		DeadlineTimer.Deadline current = this.deadline;
		return current == null || current.arrived();
	}

	/**
	 * The gateway's own client has sent the request, without an instance to choose.
	 * @param status status of the response, 0 if there is none
	 * @param error what the client threw, {@code null} if nothing
	 */
	public void attempted(int status, @Nullable Throwable error) {
		attempts().responded(status);
		UpstreamFailure failure = (error != null) ? UpstreamFailure.of(error) : null;
		if (failure != null) {
			attempts().attemptFailed(failure.name(), new UpstreamException(failure, error));
		}
	}

	/**
	 * The attempt failed before there was a response.
	 * @param failure how
	 * @return whether to send the request again, to what is now the instance of the
	 * {@link #call()}, or to pass the failure on
	 */
	public Decision attemptFailed(UpstreamFailure failure) {
		if (isObserved()) {
			attempts().attemptFailed(failure.name(), new UpstreamException(failure, null));
		}
		return decide(this.call != null && this.call.failed(failure), Phase.DONE);
	}

	/**
	 * The response has begun.
	 * @param status its status
	 * @return whether to drop it and to send the request again, to what is now the
	 * instance of the {@link #call()}, or to pass it on
	 */
	public Decision responded(int status) {
		attempts().responded(status);
		Decision decision = decide(this.call != null && this.call.responded(status), Phase.BODY);
		if (decision == Decision.SEND_AGAIN) {
			attempts().attemptEnded();
		}
		return decision;
	}

	private Decision decide(boolean again, Phase otherwise) {
		Phase next = again ? Phase.ROUTED : otherwise;
		boolean entered = enter(next);
		if (!entered || next == Phase.DONE) {
			closeDeadline();
		}
		return (again && entered) ? Decision.SEND_AGAIN : Decision.PASS_ON;
	}

	// The response on its way to the client

	/**
	 * The response is with the thread of the client, which is about to get its body. What
	 * ends the exchange from now on ends the body, too.
	 * @return whether the response is wanted; if not, its body has to be dropped
	 */
	public boolean bodyOffered() {
		// Before the phase is read: end() changes the phase before it reads this
		this.delivery = Delivery.OFFERED;
		return this.phase != Phase.DONE;
	}

	/**
	 * The body goes through the rewriter, and its beginning waits for its end. Until
	 * then, the request can be sent again.
	 */
	public void bodyHeld() {
		this.held = true;
	}

	/**
	 * Whether the body goes through the rewriter.
	 * @return whether {@link #bodyHeld()} was reported
	 */
	public boolean isBodyHeld() {
		return this.held;
	}

	/**
	 * The response is a part of a body that is rewritten as a whole only.
	 * @return whether to drop it, and to send the request again to the same instance for
	 * the whole body; or to pass it on, as that has been done
	 */
	public Decision partCame() {
		if (this.whole) {
			return Decision.PASS_ON;
		}
		this.whole = true;
		this.delivery = Delivery.NONE;
		attempts().attemptEnded();
		return decide(true, Phase.ROUTED);
	}

	/**
	 * The request can't be sent twice, so it does not ask for a part.
	 */
	public void wantWhole() {
		this.whole = true;
	}

	/**
	 * Whether the client gets the whole body though it may have asked for a part.
	 * @return whether to leave out {@code Range}
	 */
	public boolean isWholeWanted() {
		return this.whole;
	}

	/**
	 * The body is about to be read.
	 * @param body what to abort when the upstream pauses for longer than
	 * {@link UpstreamTimeouts#read()}; {@code null} if nothing can be, and then nothing
	 * limits the time
	 */
	public void bodyBegins(@Nullable Abortable body) {
		this.underWay = body;
		if (body == null || this.timeouts.read().isZero()) {
			closeDeadline();
		}
		else {
			usableDeadline();
		}
	}

	/**
	 * The client is ready for more. It is the upstream's turn.
	 */
	public void bytesAwaited() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current != null) {
			current.await(this.timeouts.read());
		}
	}

	/**
	 * The upstream has sent what the client is ready for. It is the client's turn, whose
	 * time is not limited here.
	 * @return whether the upstream was in time; if not, what ends the body has run
	 */
	public boolean bytesArrived() {
		DeadlineTimer.Deadline current = this.deadline;
		return current == null || current.arrived();
	}

	/**
	 * The body of the upstream has ended. One that lasts until the connection ends seems
	 * to be whole when the deadline ends it.
	 * @return what is wrong if it is not whole, or {@code null}
	 */
	public @Nullable UpstreamException bodyEnded() {
		DeadlineTimer.Deadline current = this.deadline;
		if (current != null && current.isExpired()) {
			return bodyBroke(null);
		}
		closeDeadline();
		attempts().attemptEnded();
		if (this.call != null) {
			this.call.completed();
		}
		return null;
	}

	/**
	 * The body of the upstream broke off.
	 * @param error how, or {@code null} if it only seemed to end
	 * @return what to tell the client
	 */
	public UpstreamException bodyBroke(@Nullable Throwable error) {
		DeadlineTimer.Deadline current = this.deadline;
		UpstreamException broken = (error == null || (current != null && current.isExpired()))
				? new UpstreamException(UpstreamFailure.BODY_TIMEOUT, error) : UpstreamException.broken(error);
		closeDeadline();
		attempts().attemptFailed(broken.failure().name(), broken);
		if (this.call != null && this.phase != Phase.DONE) {
			this.call.broken(broken.failure());
		}
		return broken;
	}

	/**
	 * The client does not get the rest of the body, but to read it may be cheaper than
	 * another connection. Begins to wait for it.
	 * @param timeout how long the rest may take
	 * @return whether something ends the wait; if not, the body has to be dropped
	 */
	public boolean restAwaited(Duration timeout) {
		DeadlineTimer.Deadline current = (this.underWay != null) ? usableDeadline() : null;
		if (current == null) {
			return false;
		}
		current.await(timeout);
		return true;
	}

	/**
	 * The rest of the body is not read.
	 */
	public void bodyDropped() {
		closeDeadline();
	}

	/**
	 * The response has failed.
	 * @param committed whether anything of a response has left for the client
	 * @return whether to send the request again, to what is now the instance of the
	 * {@link #call()}, as the body broke off before anything of it left; or to pass the
	 * failure on
	 */
	public Decision bodyFailed(boolean committed) {
		boolean again = this.held && !committed && this.call != null && this.call.resend();
		if (!again) {
			return Decision.PASS_ON;
		}
		this.held = false;
		this.delivery = Delivery.NONE;
		return decide(true, Phase.ROUTED);
	}

	/**
	 * The last byte of the body was written. A client that closes right after it cancels
	 * the exchange though all was written.
	 */
	public void delivered() {
		this.delivery = Delivery.WHOLE;
	}

	/**
	 * The client left. The server may complete the exchange nevertheless, as if all had
	 * been written.
	 */
	public void clientLeft() {
		if (this.delivery != Delivery.WHOLE) {
			this.delivery = Delivery.CUT_OFF;
		}
	}

	// The end

	/**
	 * The server has completed the response: count it.
	 * @param status status of the response
	 */
	public void completed(int status) {
		if (this.delivery == Delivery.NONE && hasClientFailed()) {
			count(0, false);
		}
		else {
			count(status, this.delivery != Delivery.CUT_OFF);
		}
	}

	/**
	 * The exchange has failed: count it. Where nothing has been sent yet, an error page
	 * follows.
	 * @param status status that the client sees
	 * @param committed whether anything of the response has left
	 */
	public void failed(int status, boolean committed) {
		boolean unanswered = hasClientFailed() && !committed;
		count(unanswered ? 0 : status, !unanswered && !committed);
	}

	/**
	 * The server has cancelled the exchange, as the client left: count it.
	 * @param status status of the response
	 * @param committed whether anything of the response has left
	 */
	public void cancelled(int status, boolean committed) {
		count(committed ? status : 0, this.delivery == Delivery.WHOLE);
	}

	/**
	 * A request is counted once, however many exchanges it had and whichever of its
	 * threads is first.
	 */
	private void count(int status, boolean whole) {
		this.first.observation.end(status, whole);
		String counted = this.route;
		if (counted != null && this.features.has(Feature.METRICS) && COUNTED.compareAndSet(this.first, 0, 1)) {
			this.metrics.request(counted, status, whole, System.nanoTime() - this.arrived);
		}
	}

	/**
	 * The exchange is over, whatever became of it. What is still under way would wait for
	 * a response that has no client, so it is broken off, unless the response is with the
	 * thread of the client.
	 */
	public void end() {
		Phase last = PHASE.getAndSet(this, Phase.DONE);
		if (last != Phase.DONE) {
			this.first.observation.attemptEnded();
		}
		if (this.call != null) {
			this.call.end();
		}
		DeadlineTimer.Deadline current = closeDeadline();
		if (isUnderWay(last) && (current == null || !current.expire())) {
			abort();
		}
	}

	private boolean isUnderWay(Phase last) {
		return switch (last) {
			case ARRIVED, ROUTED, DONE -> false;
			case SENDING, WAITING -> true;
			case ANSWERED, BODY -> this.delivery == Delivery.NONE;
		};
	}

	/**
	 * Where an exchange is.
	 */
	public enum Phase {

		/** It has no route yet. */
		ARRIVED,

		/** Its route is known, and no attempt is under way. */
		ROUTED,

		/** The client sends its request, and the upstream waits for more of it. */
		SENDING,

		/** The upstream has what the client has sent, and its response is awaited. */
		WAITING,

		/** An attempt has ended, and what follows is not decided yet. */
		ANSWERED,

		/** The response is on its way to the client, or the failure in its place. */
		BODY,

		/** Nothing is waited for any more. */
		DONE

	}

	/**
	 * What follows an attempt or its response.
	 */
	public enum Decision {

		/** The client gets it. */
		PASS_ON,

		/** The client hears nothing of it, and another attempt follows. */
		SEND_AGAIN

	}

	/**
	 * How much of the body of a response the client got.
	 */
	private enum Delivery {

		NONE, OFFERED, WHOLE, CUT_OFF

	}

}
