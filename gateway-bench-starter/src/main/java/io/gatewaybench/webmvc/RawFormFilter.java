package io.gatewaybench.webmvc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;

/**
 * The gateway's filter that parses a form and prints it anew, which it does here only
 * when the body is read before the starter sends the request, or sent by somebody else.
 */
final class RawFormFilter extends FormFilter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest httpRequest = (HttpServletRequest) request;
		FormRequest form = ServletExchange.formOf(httpRequest);
		if (form == null || !HttpMethod.POST.matches(httpRequest.getMethod())) {
			super.doFilter(request, response, chain);
			return;
		}
		chain.doFilter(new LazyForm(httpRequest, form, response), response);
	}

	private HttpServletRequest print(HttpServletRequest request, ServletResponse response) throws IOException {
		HttpServletRequest[] printed = { request };
		try {
			super.doFilter(request, response, (result, unused) -> printed[0] = (HttpServletRequest) result);
		}
		catch (ServletException ex) {
			throw new IOException(ex);
		}
		return printed[0];
	}

	/**
	 * Like the request of the gateway's filter, it knows only the parameters of the
	 * query.
	 */
	private final class LazyForm extends HttpServletRequestWrapper {

		private final FormRequest form;

		private final ServletResponse response;

		private @Nullable MultiValueMap<String, String> parameters;

		private @Nullable HttpServletRequest printed;

		LazyForm(HttpServletRequest request, FormRequest form, ServletResponse response) {
			super(request);
			this.form = form;
			this.response = response;
		}

		@Override
		public ServletInputStream getInputStream() throws IOException {
			if (this.form.isSent()) {
				return super.getInputStream();
			}
			HttpServletRequest current = this.printed;
			if (current == null) {
				this.form.leaveToContainer();
				current = print((HttpServletRequest) getRequest(), this.response);
				this.printed = current;
			}
			return current.getInputStream();
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

}
