package io.gatewaybench.webmvc;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.http.HttpMethod;

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
	private final class LazyForm extends QueryRequest {

		private final FormRequest form;

		private final ServletResponse response;

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

	}

}
