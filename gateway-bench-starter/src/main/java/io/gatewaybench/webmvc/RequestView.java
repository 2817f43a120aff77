package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.List;

import io.gatewaybench.upstream.InstanceChooser;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

/**
 * What an instance may be chosen by.
 *
 * @param request the request after the filters of its route
 * @param url the URL that the gateway has built for the upstream
 */
record RequestView(ServerRequest request, URI url) implements InstanceChooser.Request {

	@Override
	public List<String> headers(String name) {
		return this.request.headers().header(name);
	}

	@Override
	public @Nullable String query() {
		return UpstreamTarget.query(this.request, this.url);
	}

	@Override
	public @Nullable String clientAddress() {
		return this.request.servletRequest().getRemoteAddr();
	}

	@Override
	public boolean isSecure() {
		return this.request.servletRequest().isSecure();
	}

}
