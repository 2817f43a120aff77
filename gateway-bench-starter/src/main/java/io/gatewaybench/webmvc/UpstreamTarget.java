package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.upstream.Instance;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Path and query of a request at the upstream: as the client wrote them. The gateway
 * makes one slash of two in the path. It builds the query anew from the decoded
 * parameters, which turns {@code ?a} into {@code ?a=} and {@code +} into a space
 * (spring-cloud-gateway issue 4291). The WebFlux gateway passes the query on as it came.
 */
final class UpstreamTarget {

	private UpstreamTarget() {
	}

	/**
	 * Where to send a request.
	 * @param request the request after all filters
	 * @param instance the instance to send it to
	 * @param url the URL that the gateway built for the upstream
	 * @param features features of the request
	 * @return the URL at the instance
	 * @throws ResponseStatusException with 400 if the client wrote what no URL can have
	 */
	static URI of(ServerRequest request, Instance instance, URI url, RouteFeatures features) {
		try {
			return instance.target(path(request, features), query(request, url));
		}
		catch (IllegalArgumentException ex) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, ex.getMessage(), ex);
		}
	}

	/**
	 * Path for the upstream.
	 * @param request the request after all filters
	 * @param features features of the request
	 * @return the path as the client sent it, without the segments to drop
	 */
	static String path(ServerRequest request, RouteFeatures features) {
		return features.upstreamPath(ClientPathRequest.path(request), basePath(request.servletRequest()));
	}

	/**
	 * Path of a request within the application, as the client sent it and before any
	 * filter of its route.
	 */
	static String clientPath(HttpServletRequest request) {
		String path = request.getRequestURI();
		String basePath = request.getContextPath() + servletPath(request);
		return path.startsWith(basePath) ? path.substring(basePath.length()) : path;
	}

	/**
	 * The pattern that the path of the route has, or {@code null} if it has none.
	 */
	static @Nullable String pattern(HttpServletRequest request) {
		return (String) request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
	}

	private static String basePath(HttpServletRequest request) {
		return ClientPathRequest.contextPath(request) + servletPath(request);
	}

	private static String servletPath(HttpServletRequest request) {
		boolean below = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
		return below ? request.getServletPath() : "";
	}

	/**
	 * Query for the upstream.
	 * @param request the request after all filters
	 * @param url the URL that the gateway built for the upstream
	 * @return the client's own query, or the gateway's where a filter changed parameters
	 */
	static @Nullable String query(ServerRequest request, URI url) {
		String rebuilt = url.getRawQuery();
		String original = request.servletRequest().getQueryString();
		if (Objects.equals(original, rebuilt)) {
			return original;
		}
		boolean withoutParameters = original == null && request.params().isEmpty();
		return (withoutParameters || isQueryChanged(request)) ? rebuilt : original;
	}

	/**
	 * Whether a filter has changed parameters of a request.
	 */
	static boolean isQueryChanged(ServerRequest request) {
		MultiValueMap<String, String> params = request.params();
		Map<String, String[]> originals = request.servletRequest().getParameterMap();
		if (params.size() != originals.size()) {
			return true;
		}
		for (Map.Entry<String, List<String>> param : params.entrySet()) {
			String[] values = originals.get(param.getKey());
			if (values == null || !param.getValue().equals(Arrays.asList(values))) {
				return true;
			}
		}
		return false;
	}

}
