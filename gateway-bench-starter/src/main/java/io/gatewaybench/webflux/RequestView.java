package io.gatewaybench.webflux;

import java.net.InetSocketAddress;
import java.util.List;

import io.gatewaybench.upstream.InstanceChooser;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * What an instance may be chosen by.
 *
 * @param request the request after the filters of its route
 */
record RequestView(ServerHttpRequest request) implements InstanceChooser.Request {

	@Override
	public List<String> headers(String name) {
		return this.request.getHeaders().getOrEmpty(name);
	}

	@Override
	public @Nullable String query() {
		return this.request.getURI().getRawQuery();
	}

	@Override
	public @Nullable String clientAddress() {
		InetSocketAddress client = this.request.getRemoteAddress();
		// One that a proxy told is not resolved
		return (client == null) ? null
				: (client.getAddress() != null) ? client.getAddress().getHostAddress() : client.getHostString();
	}

	@Override
	public boolean isSecure() {
		return "https".equalsIgnoreCase(this.request.getURI().getScheme());
	}

}
