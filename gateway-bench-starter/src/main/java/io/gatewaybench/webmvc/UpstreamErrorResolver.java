package io.gatewaybench.webmvc;

import java.io.IOException;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.retry.RetryException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Tells the client that its upstream failed.
 */
final class UpstreamErrorResolver implements HandlerExceptionResolver, Ordered {

	private static final Log logger = LogFactory.getLog(UpstreamErrorResolver.class);

	/**
	 * Before Spring MVC's resolvers (0), which would send the client to the error page.
	 */
	@Override
	public int getOrder() {
		return -1;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception error) {
		UpstreamException exception = find(error);
		if (exception == null || response.isCommitted()) {
			return null;
		}
		try {
			answer(response, exception.failure());
		}
		catch (IOException ex) {
			// Tomcat would log it as an error of the application
			logger.debug("The client did not wait for the answer", ex);
		}
		return new ModelAndView();
	}

	/**
	 * The retry filter and the circuit breaker of the gateway put exceptions of their own
	 * around it. The application throws all others, and may mean something else.
	 */
	private static @Nullable UpstreamException find(Exception error) {
		if (error instanceof UpstreamException exception) {
			return exception;
		}
		boolean ofGateway = error instanceof RetryException || (error instanceof ResponseStatusException answer
				&& answer.getStatusCode().isSameCodeAs(HttpStatus.INTERNAL_SERVER_ERROR));
		Throwable cause = ofGateway ? error.getCause() : null;
		while (cause != null && !(cause instanceof UpstreamException)) {
			cause = cause.getCause();
		}
		return (UpstreamException) cause;
	}

	/**
	 * Answer in place of the upstream, without an exception.
	 * @param retryAfter seconds after which the client may try again
	 */
	static ServerResponse response(UpstreamFailure failure, String retryAfter) {
		return ServerResponse.status(failure.status())
			.header(HttpHeaders.CONTENT_TYPE, UpstreamFailure.PROBLEM_TYPE)
			.header(HttpHeaders.RETRY_AFTER, retryAfter)
			.build((request, response) -> {
				response.getOutputStream().write(failure.problem());
				return null;
			});
	}

	static void answer(HttpServletResponse response, UpstreamFailure failure) throws IOException {
		byte[] problem = failure.problem();
		response.setStatus(failure.status().value());
		response.setContentType(UpstreamFailure.PROBLEM_TYPE);
		response.setContentLength(problem.length);
		if (failure.retryAfter() != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, failure.retryAfter());
		}
		response.getOutputStream().write(problem);
		response.flushBuffer();
	}

}
