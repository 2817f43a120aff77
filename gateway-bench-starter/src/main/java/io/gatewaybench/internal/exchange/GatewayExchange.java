package io.gatewaybench.internal.exchange;

import java.net.URI;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * One request on one route, from its arrival to the last byte of its response: in which
 * order things happen, and what the route does to the request. The adapters report what
 * happens at the upstream to the {@link UpstreamWait}, which decides what follows, and
 * what becomes of the request to the {@link RequestOutcome}.
 *
 * <pre>
 * ARRIVED -- route --> ROUTED -- attempt --> WAITING &lt;--> SENDING
 *                        ^                    |
 *                        |                attemptEnded
 *                        |                    v
 *                        +-- SEND_AGAIN -- ANSWERED -- responded --> BODY -- end --> DONE
 * </pre>
 *
 * {@link #end()} leads to {@link Phase#DONE} from every phase, and nothing leads away
 * from there.
 * <p>
 * An exchange belongs to one route and one call of the gateway's client. If the gateway
 * routes the request again, or sends it again by its own retry filter, another exchange
 * takes over ({@link #reroute()}, {@link #restart()}). Late signals of the old one then
 * change nothing.
 * <p>
 * Several threads report: the client's, the upstream's and the {@link DeadlineTimer}'s.
 * There is no lock. The phase changes in one step, and so do the deadline and the
 * delivery; what else a thread has to see is written before one of them.
 */
public final class GatewayExchange {

	private static final AtomicReferenceFieldUpdater<GatewayExchange, Phase> PHASE = AtomicReferenceFieldUpdater
		.newUpdater(GatewayExchange.class, Phase.class, "phase");

	private final RequestOutcome outcome;

	private final DeadlineTimer timer;

	private final ExchangeDeadline deadline;

	private final UpstreamWait upstream;

	private volatile Phase phase;

	private @Nullable RouteFeatures declared;

	private @Nullable RouteFeatures requested;

	private @Nullable String route;

	private RouteFeatures features = RouteFeatures.NONE;

	private boolean upstreamNamed;

	private boolean handled;

	private boolean whole;

	private @Nullable Mirror mirror;

	/**
	 * Begin with a request that has just arrived.
	 * @param metrics what counts it
	 * @param observations what observes it
	 * @param timer what ends waiting for an upstream
	 */
	public GatewayExchange(GatewayMetrics metrics, GatewayObservations observations, DeadlineTimer timer) {
		this.outcome = new RequestOutcome(metrics, observations);
		this.timer = timer;
		this.phase = Phase.ARRIVED;
		this.deadline = new ExchangeDeadline(this);
		this.upstream = new UpstreamWait(this);
	}

	private GatewayExchange(GatewayExchange previous, Phase phase) {
		this.outcome = previous.outcome;
		this.timer = previous.timer;
		this.phase = phase;
		this.route = previous.route;
		this.features = previous.features;
		this.upstreamNamed = previous.upstreamNamed;
		this.handled = previous.handled;
		this.deadline = new ExchangeDeadline(this);
		this.upstream = new UpstreamWait(this);
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
	 * {@return what becomes of the request, the same for all its exchanges}
	 */
	public RequestOutcome outcome() {
		return this.outcome;
	}

	/**
	 * {@return how this exchange waits for its upstream}
	 */
	public UpstreamWait upstream() {
		return this.upstream;
	}

	/**
	 * {@return until when this exchange waits, and whose turn it is}
	 */
	public ExchangeDeadline deadline() {
		return this.deadline;
	}

	DeadlineTimer timer() {
		return this.timer;
	}

	/**
	 * {@return where the exchange is}
	 */
	public Phase phase() {
		return this.phase;
	}

	/**
	 * {@return whether nothing is waited for any more}
	 */
	public boolean isOver() {
		return this.phase == Phase.DONE;
	}

	/** Enter a phase, unless the exchange is over. */
	boolean enter(Phase next) {
		Phase current = this.phase;
		while (current != Phase.DONE && !PHASE.compareAndSet(this, current, next)) {
			current = this.phase;
		}
		return current != Phase.DONE;
	}

	/** Be in a phase, or enter it from one other. */
	boolean enter(Phase from, Phase to) {
		return this.phase == to || PHASE.compareAndSet(this, from, to);
	}

	/**
	 * The exchange is over, whatever became of it. What is still under way would wait for
	 * a response that has no client, so it is broken off, unless the response is with the
	 * thread of the client.
	 */
	public void end() {
		Phase last = PHASE.getAndSet(this, Phase.DONE);
		if (last != Phase.DONE) {
			this.outcome.observation().attemptEnded();
		}
		this.upstream.end(last);
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
		this.outcome.observation().route(route);
		enter(Phase.ROUTED);
		return this.features;
	}

	// lb:ws://orders is what the gateway opens a WebSocket with
	private static boolean isBalanced(URI target) {
		return "lb".equalsIgnoreCase(target.getScheme())
				&& !(target.isOpaque() && target.getRawSchemeSpecificPart().startsWith("ws"));
	}

	/**
	 * {@return the id of the route, or {@code null} if the request has none}
	 */
	public @Nullable String routeId() {
		return this.route;
	}

	/**
	 * {@return what the route does, which is nothing before there is a route}
	 */
	public RouteFeatures features() {
		return this.features;
	}

	/**
	 * {@return whether the route has a feature or names an upstream; if not, the request
	 * has to pass as without the starter}
	 */
	public boolean applies() {
		return this.upstreamNamed || !this.features.isEmpty();
	}

	/**
	 * Change the headers of a request that is about to be sent, after all filters.
	 * <p>
	 * The server has answered the expectation. An upstream that answers it again sends an
	 * interim response, which a client of upstreams may take for the response.
	 * @param rules what the route sets, if it has the feature
	 * @param headers the headers
	 * @param repeatable whether the request can be sent again if it gets a part of a body
	 */
	public void changeRequest(HeaderRules rules, HttpHeaders headers, boolean repeatable) {
		if (this.features.has(Feature.HEADERS)) {
			rules.applyTo(this.route, headers);
		}
		headers.remove(HttpHeaders.EXPECT);
		ConnectionOptions.UNNAMED.forEach(headers::remove);
		if (this.features.has(Feature.BODY_REWRITE)) {
			RewriteRules.prepare(headers, mayAskForPart(repeatable));
		}
	}

	/**
	 * Change the headers of a response that has just come.
	 * @param rules what the route sets, if it has the feature
	 * @param headers the headers
	 */
	public void changeResponse(HeaderRules rules, HttpHeaders headers) {
		if (this.features.has(Feature.HEADERS)) {
			rules.applyTo(this.route, headers);
		}
		UpstreamCall call = this.upstream.call();
		String cookie = (call != null) ? call.cookie() : null;
		if (cookie != null) {
			headers.add(HttpHeaders.SET_COOKIE, cookie);
		}
	}

	/** Only the whole of a body is rewritten. */
	boolean mayAskForPart(boolean repeatable) {
		this.whole |= !repeatable;
		return !this.whole;
	}

	/**
	 * The response is a part of a body that is rewritten.
	 * @return whether to drop it, and to send the request again to the same instance for
	 * the whole body; or to pass it on, as that has been done
	 */
	public Decision partCame() {
		boolean first = !this.whole;
		this.whole = true;
		return first ? this.upstream.sendAgain() : Decision.PASS_ON;
	}

	void mirror(Mirror mirror) {
		this.mirror = mirror;
	}

	/**
	 * The request is complete, and about to be sent.
	 * @return where to send it as well, {@code null} if nowhere or if it was asked for
	 */
	public @Nullable Mirror takeMirror() {
		Mirror taken = this.mirror;
		if (taken != null) {
			this.mirror = null;
		}
		return taken;
	}

	/**
	 * {@return whether to {@linkplain RequestOutcome#observe observe} the request from
	 * now on, as its route is known}
	 */
	public boolean isToBeObserved() {
		return this.handled && this.outcome.isToBeObserved();
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

		/**
		 * The upstream has what the client has sent, and its response is awaited; or the
		 * request waits for its turn.
		 */
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

}
