package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The query of a request as the client wrote it. The gateway builds the query of the
 * upstream anew from its decoded parameters, which turns {@code ?a} into {@code ?a=} and
 * {@code +} into a space (spring-cloud-gateway issue 4291); the WebFlux gateway passes it
 * on as it came.
 */
final class RawQuery {

	private RawQuery() {
	}

	/**
	 * Query for the upstream.
	 * @param request the request after all filters
	 * @param url the URL that the gateway built for the upstream
	 * @return the client's own query, or the gateway's where a filter changed parameters
	 */
	static @Nullable String of(ServerRequest request, URI url) {
		String rebuilt = url.getRawQuery();
		String original = request.servletRequest().getQueryString();
		if (Objects.equals(original, rebuilt)) {
			return original;
		}
		MultiValueMap<String, String> params = request.params();
		if (original == null && params.isEmpty()) {
			return rebuilt;
		}
		return isUnchanged(params, request.servletRequest()) ? original : rebuilt;
	}

	private static boolean isUnchanged(MultiValueMap<String, String> params, HttpServletRequest request) {
		Map<String, String[]> originals = request.getParameterMap();
		if (params.size() != originals.size()) {
			return false;
		}
		for (Map.Entry<String, List<String>> param : params.entrySet()) {
			String[] values = originals.get(param.getKey());
			if (values == null || !param.getValue().equals(Arrays.asList(values))) {
				return false;
			}
		}
		return true;
	}

}
