package io.gatewaybench.webmvc;

import java.io.IOException;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Watchdog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * One request of a client, from its arrival until nothing of it is left. It is kept on
 * the servlet request: each filter that rebuilds the {@code ServerRequest} gives it a
 * copy of the attributes, and what is put into a copy never comes out again. A circuit
 * breaker may go on with the request in one thread while another thread still sends it.
 */
final class ServletExchange {

	private static final String ATTRIBUTE = ServletExchange.class.getName();

	private volatile @Nullable RouteFeatures declared;

	private volatile @Nullable RouteFeatures requested;

	private volatile RouteFeatures features = RouteFeatures.NONE;

	private volatile @Nullable UpstreamAttempt attempt;

	private volatile @Nullable UpstreamBody body;

	private volatile @Nullable FormRequest form;

	private volatile boolean clientFailed;

	private volatile boolean brokenOff;

	/**
	 * The exchange that a request belongs to.
	 * @param request the request, in any wrapper
	 * @return the same exchange for all wrappers and dispatches
	 */
	static ServletExchange of(HttpServletRequest request) {
		ServletExchange exchange = (ServletExchange) request.getAttribute(ATTRIBUTE);
		if (exchange == null) {
			exchange = new ServletExchange();
			request.setAttribute(ATTRIBUTE, exchange);
		}
		return exchange;
	}

	/**
	 * The request has taken a route of the starter.
	 */
	void declare(RouteFeatures features) {
		this.declared = features;
	}

	/**
	 * A filter of the route asks for a feature.
	 */
	void request(Feature feature) {
		this.requested = RouteFeatures.request(this.requested, feature);
	}

	/**
	 * The request has passed the filters of its route.
	 * @return the features that it has from now on
	 */
	RouteFeatures resolve(FeatureScope scope) {
		this.features = scope.resolve(this.declared, this.requested);
		return this.features;
	}

	/**
	 * The features of the request, none until they are {@linkplain #resolve resolved}.
	 */
	RouteFeatures features() {
		return this.features;
	}

	/**
	 * The request is forwarded, maybe to another route, which has not asked for what its
	 * own route has asked for. A circuit breaker answers so in place of the upstream, and
	 * leaves the response of the upstream, or the wait for one, as it is.
	 */
	void forward() {
		replaceAttempt(null);
		dropBody();
		this.declared = null;
		this.requested = null;
	}

	void form(FormRequest form) {
		this.form = form;
	}

	/**
	 * The form in the request, or {@code null} if there is none.
	 */
	@Nullable FormRequest form() {
		return this.form;
	}

	/**
	 * Begin to send the request to an instance, in place of the attempt before.
	 * @param headers headers of the request to the instance
	 * @param timeouts how long to wait
	 * @param call the request to an upstream, or {@code null} if it goes to an address
	 * @param watchdog what ends the wait
	 * @return the attempt, to be closed
	 */
	UpstreamAttempt attempt(HttpHeaders headers, UpstreamTimeouts timeouts, @Nullable UpstreamCall call,
			Watchdog watchdog) {
		UpstreamAttempt next = new UpstreamAttempt(headers, timeouts, call, watchdog);
		replaceAttempt(next);
		return next;
	}

	/**
	 * The attempt that is under way or has the response, or {@code null} if nothing has
	 * been sent.
	 */
	@Nullable UpstreamAttempt attempt() {
		return this.attempt;
	}

	private void replaceAttempt(@Nullable UpstreamAttempt next) {
		UpstreamAttempt previous;
		synchronized (this) {
			previous = this.attempt;
			this.attempt = next;
		}
		if (previous != null) {
			previous.close();
		}
	}

	/**
	 * The response of an attempt goes to the filters and to the client.
	 * @param attempt the attempt
	 * @param body the body of the response, which is let go if the request has been given
	 * up, or sent again
	 */
	void respond(UpstreamAttempt attempt, UpstreamBody body) {
		boolean wanted;
		synchronized (this) {
			wanted = this.attempt == attempt;
			if (wanted) {
				attempt.handOver();
				this.body = body;
			}
		}
		if (!wanted) {
			body.drop();
		}
	}

	/**
	 * Body of the response that goes to the client, or {@code null} if it is not the
	 * upstream's.
	 */
	@Nullable UpstreamBody body() {
		return this.body;
	}

	/**
	 * Let go of the response of the upstream, which nobody reads any more.
	 */
	void dropBody() {
		UpstreamBody current = this.body;
		if (current != null) {
			current.drop();
			this.body = null;
		}
	}

	/**
	 * The client did not send its request to the end.
	 */
	void clientFailed() {
		this.clientFailed = true;
	}

	/**
	 * Whether the client did not send its request to the end.
	 */
	boolean hasClientFailed() {
		return this.clientFailed;
	}

	/**
	 * What has left for the client is not continued.
	 */
	void breakOff() {
		this.brokenOff = true;
	}

	boolean isBrokenOff() {
		return this.brokenOff;
	}

	/**
	 * The response to the client has been written, or never will be. What the client did
	 * not get of the upstream's body is read if that is cheap.
	 */
	void completed(HttpServletResponse response) throws IOException {
		UpstreamBody current = this.body;
		try {
			if (current != null) {
				close(current, response);
			}
		}
		finally {
			replaceAttempt(null);
		}
	}

	/**
	 * The client does not wait for a body that it does not get.
	 */
	private static void close(UpstreamBody body, HttpServletResponse response) throws IOException {
		try {
			if (response.getStatus() == HttpServletResponse.SC_NOT_MODIFIED) {
				response.flushBuffer();
			}
		}
		finally {
			body.close();
		}
	}

	/**
	 * The response to the client has failed, or nobody can tell.
	 */
	void aborted() {
		UpstreamBody current = this.body;
		try {
			if (current != null) {
				current.drop();
			}
		}
		finally {
			replaceAttempt(null);
		}
	}

}
