package io.gatewaybench.webmvc;

import java.util.Enumeration;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.multipart.support.StandardMultipartHttpServletRequest;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;

/**
 * Resolves the parts of a request when somebody asks for a part. Spring MVC would do so
 * before it knows that the request is for an upstream, or when a route asks for a
 * parameter.
 */
final class PartsResolver extends StandardServletMultipartResolver {

	@Override
	public MultipartHttpServletRequest resolveMultipart(HttpServletRequest request) {
		return new LazyParts(request);
	}

	private static final class LazyParts extends StandardMultipartHttpServletRequest {

		LazyParts(HttpServletRequest request) {
			super(request, true);
		}

		@Override
		public Enumeration<String> getParameterNames() {
			return isResolved() ? super.getParameterNames() : getRequest().getParameterNames();
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			return isResolved() ? super.getParameterMap() : getRequest().getParameterMap();
		}

	}

}
