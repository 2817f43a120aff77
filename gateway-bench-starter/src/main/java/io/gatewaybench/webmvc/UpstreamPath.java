package io.gatewaybench.webmvc;

import io.gatewaybench.filter.RouteFeatures;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;

import org.springframework.web.servlet.function.ServerRequest;

/**
 * Path of a request at the upstream.
 */
final class UpstreamPath {

	private UpstreamPath() {
	}

	static String of(ServerRequest request, RouteFeatures features) {
		return features.upstreamPath(request.uri().getRawPath(), basePath(request.servletRequest()));
	}

	private static String basePath(HttpServletRequest request) {
		boolean below = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
		return below ? request.getContextPath() + request.getServletPath() : request.getContextPath();
	}

}
