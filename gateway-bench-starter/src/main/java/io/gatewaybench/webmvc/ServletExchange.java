package io.gatewaybench.webmvc;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Executor;

import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.filter.FeatureScope;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * What WebMVC adds to the {@link GatewayExchange} of a request: its streams and threads.
 * It is kept on the servlet request: each filter that rebuilds the {@code ServerRequest}
 * gives it a copy of the attributes, and what is put into a copy never comes out again.
 * <p>
 * A circuit breaker may go on with the request in one thread while another thread still
 * sends it. Each of them has a {@link GatewayExchange} of its own then, and only the
 * {@linkplain #current() current} one counts.
 */
final class ServletExchange {

	private static final String ATTRIBUTE = ServletExchange.class.getName();

	private volatile GatewayExchange current;

	private volatile @Nullable Attempt attempt;

	private volatile @Nullable ResponseBody body;

	private volatile @Nullable FormRequest form;

	private volatile @Nullable RequestWithBody request;

	private volatile boolean brokenOff;

	private volatile boolean clientPaused;

	private volatile boolean upgraded;

	private boolean left;

	private ServletExchange(GatewayExchange first) {
		this.current = first;
	}

	/**
	 * The exchange that a request belongs to, which begins with the first call.
	 * @param request the request, in any wrapper
	 * @param exchanges begins it
	 * @return the same exchange for all wrappers and dispatches
	 */
	static ServletExchange begin(HttpServletRequest request, Exchanges exchanges) {
		ServletExchange exchange = of(request);
		if (exchange == null) {
			exchange = new ServletExchange(exchanges.begin());
			request.setAttribute(ATTRIBUTE, exchange);
		}
		return exchange;
	}

	/**
	 * The exchange that a request belongs to, or {@code null} where the starter is off.
	 */
	static @Nullable ServletExchange of(HttpServletRequest request) {
		return (ServletExchange) request.getAttribute(ATTRIBUTE);
	}

	/**
	 * The exchange that has the request now.
	 */
	GatewayExchange current() {
		return this.current;
	}

	/**
	 * The request has passed the filters of its route. If it has passed them before, as
	 * with the retry filter of the gateway, what it has got is let go.
	 * @param request the request
	 * @param url the URL that the gateway has built for the upstream
	 * @param scope features that are on
	 * @return the exchange that has the request now
	 */
	GatewayExchange route(HttpServletRequest request, URI url, FeatureScope scope) {
		GatewayExchange exchange = this.current;
		if (exchange.phase() == Phase.ARRIVED) {
			exchange.route((String) request.getAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR), url, scope);
			if (exchange.isToBeObserved()) {
				exchange.outcome()
					.observe(exchange.routeId(),
							ServerHttpObservationFilter.findObservationContext(request).orElse(null));
			}
		}
		else if (exchange.phase() != Phase.ROUTED) {
			exchange = exchange.restart();
			replace(exchange);
		}
		return exchange;
	}

	/**
	 * The request is forwarded, maybe to another route. A circuit breaker answers so in
	 * place of the upstream, and leaves the response of the upstream, or the wait for
	 * one, as it is.
	 */
	void forward() {
		replace(this.current.reroute());
	}

	private void replace(GatewayExchange next) {
		ResponseBody previous;
		synchronized (this) {
			this.current = next;
			previous = this.body;
			this.body = null;
		}
		if (previous != null) {
			previous.drop();
		}
	}

	void request(RequestWithBody request) {
		this.request = request;
	}

	void form(FormRequest form) {
		this.form = form;
	}

	/**
	 * The form in a request, or {@code null} if there is none.
	 */
	static @Nullable FormRequest formOf(HttpServletRequest request) {
		ServletExchange exchange = of(request);
		return (exchange != null) ? exchange.form : null;
	}

	/**
	 * The current thread is about to send the request.
	 * @param headers headers of the request to the instance
	 * @param executor runs what sends the body while the response comes
	 * @param anew whether to leave out connections that have been used before
	 */
	Attempt attempt(HttpHeaders headers, Executor executor, boolean anew) {
		Attempt next = new Attempt(headers, executor, anew);
		next.follow(this.attempt);
		this.attempt = next;
		return next;
	}

	/**
	 * Whether the request has been sent, or was about to be.
	 */
	boolean isSent() {
		return this.attempt != null;
	}

	/**
	 * The response to the client is complete. An upstream that has answered early or
	 * broken off may leave a thread that still reads the request, which the container is
	 * about to use for the next one. The client need not wait for the end of its
	 * response.
	 */
	void awaitSent(HttpServletResponse response, boolean whole) throws IOException {
		Attempt last = this.attempt;
		RequestWithBody body = this.request;
		boolean reading = body != null && body.refuseReads();
		if (reading || (last != null && last.isSending())) {
			try {
				if (whole) {
					complete(response);
				}
			}
			finally {
				if (last != null) {
					last.awaitSent();
				}
				if (body != null) {
					body.awaitRead();
				}
			}
		}
	}

	private static void complete(HttpServletResponse response) throws IOException {
		try {
			response.getOutputStream().close();
		}
		catch (IllegalStateException ex) {
			// A filter of the application has written text
			response.getWriter().close();
		}
	}

	/**
	 * The client did not send its request to the end. The connection to the upstream is
	 * closed, because what sends the body would end it as if it were complete.
	 * @param exchange the exchange for which the body was read
	 * @param paused whether the client is still there, but was too slow
	 */
	void clientFailed(GatewayExchange exchange, boolean paused) {
		if (paused) {
			this.clientPaused = true;
		}
		exchange.outcome().clientFailed();
		exchange.upstream().requestBroke();
		Attempt sending = this.attempt;
		if (sending != null) {
			sending.cancel();
		}
	}

	/**
	 * Whether the client paused for too long while it sent its request.
	 */
	boolean hasClientPaused() {
		return this.clientPaused;
	}

	/**
	 * The response of an exchange goes to the filters and to the client.
	 * @param exchange the exchange
	 * @param body the body of the response, which is let go if another exchange has the
	 * request by now
	 */
	void respond(GatewayExchange exchange, ResponseBody body) {
		boolean wanted;
		synchronized (this) {
			wanted = this.current == exchange && exchange.upstream().bodyOffered();
			if (wanted) {
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
	@Nullable ResponseBody body() {
		return this.body;
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
	 * The connection of the client has left HTTP, and the exchange lasts on.
	 */
	void upgraded() {
		this.upgraded = true;
	}

	boolean isUpgraded() {
		return this.upgraded;
	}

	/**
	 * The container has completed the request.
	 * @return whether that was not known before
	 */
	synchronized boolean leave() {
		boolean first = !this.left;
		this.left = true;
		return first;
	}

	/**
	 * The response to the client has been written, or never will be. What the client did
	 * not get of the upstream's body is read if that is cheap.
	 */
	void completed() {
		ResponseBody last = this.body;
		try {
			if (last != null) {
				last.close();
			}
		}
		finally {
			end(last);
		}
	}

	private void end(@Nullable ResponseBody last) {
		RequestWithBody body = this.request;
		if (body != null) {
			body.forget();
		}
		if (last != null) {
			last.clientLeft();
		}
		this.current.end();
	}

	/**
	 * The response to the client has failed, or its end is unknown.
	 */
	void aborted() {
		ResponseBody last = this.body;
		try {
			if (last != null) {
				last.drop();
			}
		}
		finally {
			end(last);
		}
	}

}
