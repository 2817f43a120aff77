package io.gatewaybench.webmvc;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;

/**
 * Request that knows only the parameters of its query, so that nobody who asks for
 * parameters reads the body.
 */
class QueryRequest extends HttpServletRequestWrapper {

	private @Nullable MultiValueMap<String, String> parameters;

	QueryRequest(HttpServletRequest request) {
		super(request);
	}

	@Override
	public @Nullable String getParameter(String name) {
		return parameters().getFirst(name);
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		Map<String, String[]> result = new LinkedHashMap<>();
		parameters().forEach((name, values) -> result.put(name, StringUtils.toStringArray(values)));
		return result;
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return Collections.enumeration(parameters().keySet());
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		List<String> values = parameters().get(name);
		return (values != null) ? StringUtils.toStringArray(values) : null;
	}

	private MultiValueMap<String, String> parameters() {
		MultiValueMap<String, String> current = this.parameters;
		if (current == null) {
			current = parse();
			this.parameters = current;
		}
		return current;
	}

	private MultiValueMap<String, String> parse() {
		try {
			return MvcUtils.decodeQueryString(getQueryString(), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw new FormRequest.Refusal(HttpStatus.BAD_REQUEST, "The query is malformed", ex);
		}
	}

}
