package io.gatewaybench.webmvc;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Ends what the gateway leaves open: a body of the upstream that nobody reads, as when a
 * response turns into 304; and the response to the client when the upstream broke off,
 * which the gateway would end as if it were complete. The client sees an error while
 * nothing has been sent, else a connection that closes too early.
 */
final class UpstreamBodyFilter implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		try {
			HttpServletRequest httpRequest = (HttpServletRequest) request;
			chain.doFilter(WatchedRequest.hasBody(httpRequest) ? new WatchedRequest(httpRequest) : request, response);
		}
		finally {
			release(request);
		}
		UpstreamBody body = UpstreamBody.of((HttpServletRequest) request);
		if (body == null || !body.isBroken()) {
			return;
		}
		if (response.isCommitted()) {
			throw new IOException("The upstream broke off its response");
		}
		response.reset();
		UpstreamErrorResolver.answer((HttpServletResponse) response, body.failure().failure());
	}

	private static void release(ServletRequest request) throws IOException {
		if (request.isAsyncStarted()) {
			return;
		}
		ResponseWatch watch = ResponseWatch.of((HttpServletRequest) request);
		if (watch != null) {
			watch.close();
		}
		UpstreamBody body = UpstreamBody.of((HttpServletRequest) request);
		if (body != null) {
			body.close();
		}
	}

}
