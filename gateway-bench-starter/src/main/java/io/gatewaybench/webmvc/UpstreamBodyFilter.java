package io.gatewaybench.webmvc;

import java.io.IOException;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.lang.Contract;

/**
 * Ends what the gateway leaves open: a body of the upstream that nobody reads, as when a
 * response turns into 304; and the response to the client when the upstream broke off,
 * which the gateway would end as if it were complete. The client sees an error while
 * nothing has been sent, else a connection that closes too early.
 */
final class UpstreamBodyFilter implements Filter {

	private static final String BROKEN_OFF = UpstreamBodyFilter.class.getName() + ".brokenOff";

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest httpRequest = (HttpServletRequest) request;
		if (request.getAttribute(BROKEN_OFF) != null) {
			// The page about the error is to follow what has left already
			return;
		}
		if (request.getDispatcherType() == DispatcherType.FORWARD) {
			forget(httpRequest);
			chain.doFilter(request, response);
			return;
		}
		boolean answered = false;
		Exception error = null;
		try {
			chain.doFilter(watch(httpRequest), response);
			answered = true;
		}
		catch (IOException | ServletException | RuntimeException ex) {
			if (isRefused(ex, httpRequest, (HttpServletResponse) response)) {
				return;
			}
			if (!isBroken(UpstreamBody.of(httpRequest))) {
				breakOff(httpRequest, (HttpServletResponse) response);
				throw ex;
			}
			error = ex;
		}
		finally {
			release(httpRequest, (HttpServletResponse) response, answered);
		}
		UpstreamBody body = UpstreamBody.of(httpRequest);
		if (!isBroken(body)) {
			return;
		}
		if (response.isCommitted()) {
			breakOff(httpRequest, (HttpServletResponse) response);
			throw new IOException("The upstream broke off its response", error);
		}
		response.reset();
		UpstreamErrorResolver.answer((HttpServletResponse) response, body.failure().failure());
	}

	/**
	 * The second part of an asynchronous exchange has the request that was watched in the
	 * first.
	 */
	private static HttpServletRequest watch(HttpServletRequest request) {
		if (request.getDispatcherType() == DispatcherType.ASYNC) {
			return request;
		}
		HttpServletRequest named = Http2Request.around(request);
		return FormRequest.around(WatchedRequest.mayHaveBody(named) ? new WatchedRequest(named) : named);
	}

	/**
	 * Answer as the container does where its filters ask for the parameters of a form. It
	 * has answered already if the client did not send the form to the end.
	 */
	private static boolean isRefused(Exception error, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		FormRequest.Refusal refusal = FormRequest.Refusal.in(error);
		if (refusal == null) {
			return false;
		}
		if (response.isCommitted()) {
			return WatchedRequest.hasClientFailed(request);
		}
		response.sendError(refusal.status());
		return true;
	}

	/**
	 * A circuit breaker answers in place of the upstream by forwarding the request, and
	 * leaves the response of the upstream, or the wait for one, as it is.
	 */
	private static void forget(HttpServletRequest request) {
		ResponseWatch.close(request);
		UpstreamBody.detachFrom(request);
		RequestFeatures.forget(request);
	}

	@Contract("null -> false")
	private static boolean isBroken(@Nullable UpstreamBody body) {
		return body != null && body.isBroken();
	}

	/**
	 * End a response that has begun by the exception that follows. A stream of HTTP/2 is
	 * then reset; Tomcat would end it as if the response were whole, unless there are
	 * trailers to ask for.
	 */
	private static void breakOff(HttpServletRequest request, HttpServletResponse response) {
		if (!response.isCommitted()) {
			return;
		}
		request.setAttribute(BROKEN_OFF, Boolean.TRUE);
		if ("HTTP/2.0".equals(request.getProtocol())) {
			response.setTrailerFields(() -> {
				throw new IllegalStateException("The response broke off");
			});
		}
	}

	private static void release(HttpServletRequest request, HttpServletResponse response, boolean answered)
			throws IOException {
		if (request.isAsyncStarted()) {
			request.getAsyncContext().addListener(new Completion(request));
			return;
		}
		UpstreamBody body = UpstreamBody.of(request);
		try {
			if (body != null && !answered) {
				body.drop();
			}
			else if (body != null) {
				close(body, response);
			}
		}
		finally {
			ResponseWatch.close(request);
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
	 * Ends what is left of an asynchronous exchange that is completed without another
	 * dispatch.
	 *
	 * @param request the request of the client
	 */
	private record Completion(HttpServletRequest request) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			try {
				UpstreamBody body = UpstreamBody.of(this.request);
				if (body != null) {
					body.drop();
				}
			}
			finally {
				ResponseWatch.close(this.request);
			}
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			// The container completes the exchange
		}

		@Override
		public void onError(AsyncEvent event) {
			// As for a time-out
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}
