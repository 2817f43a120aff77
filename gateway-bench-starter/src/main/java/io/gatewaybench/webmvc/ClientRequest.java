package io.gatewaybench.webmvc;

import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.RequestRules;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The request as the client sent it, before any filter, without what {@code Connection}
 * names. A filter may add a header of the same name later, for the upstream.
 */
final class ClientRequest extends HttpServletRequestWrapper {

	private final ConnectionOptions options;

	private ClientRequest(HttpServletRequest request, ConnectionOptions options) {
		super(request);
		this.options = options;
	}

	/**
	 * The status with which the gateway answers the request itself. The container has
	 * looked at its target before.
	 * @return {@link RequestRules#PASS} if it may pass
	 */
	static int refusal(HttpServletRequest request) {
		return (request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null) ? RequestRules.PASS
				: RequestRules.framing("HTTP/1.0".equals(request.getProtocol()),
						Collections.list(request.getHeaders(HttpHeaders.TRANSFER_ENCODING)));
	}

	/**
	 * Answer a request that does not pass. Where its end is uncertain, so is what follows
	 * it on the connection.
	 */
	static void answer(HttpServletResponse response, int status) {
		response.setStatus(status);
		response.setHeader(HttpHeaders.CONNECTION, "close");
		response.setContentLength(0);
	}

	/**
	 * Leave out what {@code Connection} names.
	 */
	static HttpServletRequest ownHeaders(HttpServletRequest request) {
		if (request.getHeader(HttpHeaders.CONNECTION) == null) {
			return request;
		}
		ConnectionOptions options = ConnectionOptions.of(Collections.list(request.getHeaders(HttpHeaders.CONNECTION)));
		return options.named().isEmpty() ? request : new ClientRequest(request, options);
	}

	private boolean isHidden(String name) {
		return this.options.named().stream().anyMatch(name::equalsIgnoreCase);
	}

	@Override
	public @Nullable String getHeader(String name) {
		if (HttpHeaders.CONNECTION.equalsIgnoreCase(name)) {
			return this.options.own();
		}
		return isHidden(name) ? null : super.getHeader(name);
	}

	@Override
	public Enumeration<String> getHeaders(String name) {
		String only = HttpHeaders.CONNECTION.equalsIgnoreCase(name) ? this.options.own() : null;
		if (only != null) {
			return Collections.enumeration(List.of(only));
		}
		return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
	}

	@Override
	public Enumeration<String> getHeaderNames() {
		return Collections
			.enumeration(Collections.list(super.getHeaderNames()).stream().filter((name) -> !isHidden(name)).toList());
	}

	@Override
	public @Nullable String getContentType() {
		return isHidden(HttpHeaders.CONTENT_TYPE) ? null : super.getContentType();
	}

}
