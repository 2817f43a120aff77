package io.gatewaybench.webmvc;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import io.gatewaybench.internal.rewrite.ContentCoding;
import io.gatewaybench.internal.tomcat.RequestAttributes;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.handler.GatewayServerResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Response of an upstream, which has decided about the conditions of the request. Spring
 * would decide about them once more, and answer with 304 or 412 after the headers of the
 * upstream, without the body whose length they tell. The client would take its next
 * response for that body. Also keeps the server from compressing what has to leave as it
 * is.
 */
final class ProxiedResponse implements GatewayServerResponse {

	private static final List<String> CONDITIONS = List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH,
			HttpHeaders.IF_MODIFIED_SINCE, HttpHeaders.IF_UNMODIFIED_SINCE);

	private final GatewayServerResponse response;

	private ProxiedResponse(GatewayServerResponse response) {
		this.response = response;
	}

	/**
	 * An exchange of the application may have a response of another kind, which stays.
	 */
	static ServerResponse of(ServerResponse response) {
		return (response instanceof GatewayServerResponse proxied) ? new ProxiedResponse(proxied) : response;
	}

	@Override
	public HttpStatusCode statusCode() {
		return this.response.statusCode();
	}

	@Override
	public void setStatusCode(HttpStatusCode statusCode) {
		this.response.setStatusCode(statusCode);
	}

	@Override
	public HttpHeaders headers() {
		return this.response.headers();
	}

	@Override
	public MultiValueMap<String, Cookie> cookies() {
		return this.response.cookies();
	}

	@Override
	public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse servletResponse,
			Context context) throws ServletException, IOException {
		if (request.getAttribute(RequestAttributes.LEAVE_UNCODED) instanceof Runnable leaveUncoded
				&& !ContentCoding.isAllowed(statusCode().value(), headers())) {
			leaveUncoded.run();
		}
		return this.response.writeTo(Unconditional.isNeeded(request) ? new Unconditional(request) : request,
				servletResponse, context);
	}

	/**
	 * A request without its conditions.
	 */
	private static final class Unconditional extends HttpServletRequestWrapper {

		Unconditional(HttpServletRequest request) {
			super(request);
		}

		static boolean isNeeded(HttpServletRequest request) {
			for (String name : CONDITIONS) {
				if (request.getHeader(name) != null) {
					return true;
				}
			}
			return false;
		}

		private static boolean isCondition(String name) {
			return CONDITIONS.stream().anyMatch(name::equalsIgnoreCase);
		}

		@Override
		public @Nullable String getHeader(String name) {
			return isCondition(name) ? null : super.getHeader(name);
		}

		@Override
		public Enumeration<String> getHeaders(String name) {
			return isCondition(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
		}

		@Override
		public long getDateHeader(String name) {
			return isCondition(name) ? -1 : super.getDateHeader(name);
		}

	}

}
