package io.gatewaybench.webmvc;

import java.io.IOException;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.metrics.GatewayMetrics;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;

/**
 * Times the whole exchange, from its arrival to the last byte of the response.
 */
final class MetricsFilter implements Filter {

	private final GatewayMetrics metrics;

	MetricsFilter(GatewayMetrics metrics) {
		this.metrics = metrics;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		Timing timing = new Timing((HttpServletRequest) request, (HttpServletResponse) response);
		try {
			chain.doFilter(request, response);
		}
		catch (IOException | ServletException | RuntimeException | Error ex) {
			timing.failed(ex);
			throw ex;
		}
		if (request.isAsyncStarted()) {
			request.getAsyncContext().addListener(timing);
		}
		else {
			timing.completed();
		}
	}

	private final class Timing implements AsyncListener {

		private final long start = System.nanoTime();

		private final HttpServletRequest request;

		private final HttpServletResponse response;

		Timing(HttpServletRequest request, HttpServletResponse response) {
			this.request = request;
			this.response = response;
		}

		void completed() {
			UpstreamBody body = UpstreamBody.of(this.request);
			if (body == null && WatchedRequest.hasClientFailed(this.request)) {
				count(0, false);
				return;
			}
			int status = this.response.getStatus();
			boolean whole = body == null || !body.isBegun() || body.isEnded() || body.isBroken();
			count(status, whole);
		}

		/**
		 * Where nothing has been sent yet, an error page follows that this filter does
		 * not see; it has the status that the exception asks for.
		 */
		void failed(Throwable error) {
			if (WatchedRequest.hasClientFailed(this.request)) {
				count(0, false);
			}
			else if (this.response.isCommitted()) {
				count(this.response.getStatus(), false);
			}
			else {
				Throwable cause = (error instanceof ServletException && error.getCause() != null) ? error.getCause()
						: error;
				count((cause instanceof ErrorResponse known) ? known.getStatusCode().value()
						: HttpStatus.INTERNAL_SERVER_ERROR.value(), true);
			}
		}

		private void count(int status, boolean completed) {
			String route = (String) this.request.getAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR);
			if (route != null && RequestFeatures.of(this.request).has(Feature.METRICS)) {
				MetricsFilter.this.metrics.request(route, status, completed, System.nanoTime() - this.start);
			}
		}

		@Override
		public void onComplete(AsyncEvent event) {
			Throwable error = event.getThrowable();
			if (error != null) {
				failed(error);
			}
			else {
				completed();
			}
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			// The container completes the exchange, which is when it is counted
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
