package io.gatewaybench.webmvc;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Request with the path that the client sent. Spring puts in front of it what
 * {@code X-Forwarded-Prefix} says, where it is told to believe it. Filters of the route
 * would take that for the path.
 */
final class ClientPathRequest extends HttpServletRequestWrapper {

	private ClientPathRequest(HttpServletRequest request) {
		super(request);
	}

	/**
	 * Take the prefix out of a request before the filters of its route see it. The
	 * upstream still learns of it, as of the path that the request came with.
	 * @throws ResponseStatusException as {@link #path}
	 */
	static ServerRequest decorate(ServerRequest request) {
		if (path(request).equals(request.uri().getRawPath())) {
			return request;
		}
		MvcUtils.addOriginalRequestUrl(request, request.uri());
		ServerRequest own = ServerRequest.create(new ClientPathRequest(request.servletRequest()),
				request.messageConverters(), request.apiVersionStrategy());
		// Filters before may have changed all but the path
		return ServerRequest.from(own).method(request.method()).headers((headers) -> {
			headers.clear();
			headers.putAll(request.headers().asHttpHeaders());
		}).cookies((cookies) -> {
			cookies.clear();
			cookies.addAll(request.cookies());
		}).params((params) -> {
			params.clear();
			params.addAll(request.params());
		}).attributes((attributes) -> attributes.putAll(request.attributes())).build();
	}

	/**
	 * Path of a request without the prefix.
	 * @param request the request after some filters of its route, or all
	 * @throws ResponseStatusException with 400 if a filter has changed the path before
	 * the prefix was taken out. Nobody can tell then which part of it is the client's
	 */
	static String path(ServerRequest request) {
		String path = request.uri().getRawPath();
		HttpServletRequest told = request.servletRequest();
		if (told.getContextPath().equals(contextPath(told))) {
			return path;
		}
		if (!path.equals(told.getRequestURI())) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"A filter has changed the path with X-Forwarded-Prefix in it");
		}
		return ownPath(told);
	}

	/**
	 * Spring also makes one slash of two. Where the request has been forwarded, its path
	 * is not the one that was sent.
	 */
	private static String ownPath(HttpServletRequest told) {
		return (told.getDispatcherType() == DispatcherType.FORWARD)
				? contextPath(told) + told.getRequestURI().substring(told.getContextPath().length())
				: sent(told).getRequestURI();
	}

	/**
	 * Path of the application, whatever a client says.
	 */
	static String contextPath(HttpServletRequest request) {
		return sent(request).getContextPath();
	}

	private static HttpServletRequest sent(HttpServletRequest request) {
		ServletRequest sent = request;
		while (sent instanceof ServletRequestWrapper wrapper) {
			sent = wrapper.getRequest();
		}
		return (HttpServletRequest) sent;
	}

	@Override
	public String getContextPath() {
		return contextPath(this);
	}

	@Override
	public String getRequestURI() {
		return ownPath((HttpServletRequest) getRequest());
	}

	@Override
	public StringBuffer getRequestURL() {
		StringBuffer url = super.getRequestURL();
		url.setLength(url.length() - super.getRequestURI().length());
		return url.append(getRequestURI());
	}

}
