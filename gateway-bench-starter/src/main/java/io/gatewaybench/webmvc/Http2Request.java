package io.gatewaybench.webmvc;

import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Request of HTTP/2 with the {@code Host} that it has in HTTP/1.1 (RFC 9113, section
 * 8.3.1). Without it the upstream does not learn from {@code Forwarded} which host the
 * client asked, and a route that preserves the host has none.
 */
final class Http2Request extends HttpServletRequestWrapper {

	private final String host;

	private Http2Request(HttpServletRequest request, String host) {
		super(request);
		this.host = host;
	}

	/**
	 * Add what is missing.
	 * @return the request, if it is none of HTTP/2 or has the header
	 */
	static HttpServletRequest decorate(HttpServletRequest request) {
		boolean missing = "HTTP/2.0".equals(request.getProtocol()) && request.getHeader(HttpHeaders.HOST) == null;
		return missing ? new Http2Request(request, host(request)) : request;
	}

	private static String host(HttpServletRequest request) {
		int port = request.getServerPort();
		int defaultPort = request.isSecure() ? 443 : 80;
		return (port == defaultPort) ? request.getServerName() : request.getServerName() + ":" + port;
	}

	@Override
	public @Nullable String getHeader(String name) {
		return HttpHeaders.HOST.equalsIgnoreCase(name) ? this.host : super.getHeader(name);
	}

	@Override
	public Enumeration<String> getHeaders(String name) {
		return HttpHeaders.HOST.equalsIgnoreCase(name) ? Collections.enumeration(Set.of(this.host))
				: super.getHeaders(name);
	}

	@Override
	public Enumeration<String> getHeaderNames() {
		Set<String> names = new LinkedHashSet<>(Collections.list(super.getHeaderNames()));
		names.add(HttpHeaders.HOST);
		return Collections.enumeration(names);
	}

}
