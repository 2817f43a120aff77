package io.gatewaybench.webmvc;

import java.util.Optional;

import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The gateway's router of the routes in its properties. When it is composed with another
 * router, such as the one of the starter, it puts the routes of that moment in its place,
 * and from then on a refresh changes nothing; this one stays.
 */
final class RefreshableRouterFunction implements RouterFunction<ServerResponse> {

	private final RouterFunction<ServerResponse> delegate;

	RefreshableRouterFunction(RouterFunction<ServerResponse> delegate) {
		this.delegate = delegate;
	}

	RouterFunction<ServerResponse> delegate() {
		return this.delegate;
	}

	@Override
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		return this.delegate.route(request);
	}

	@Override
	public void accept(RouterFunctions.Visitor visitor) {
		this.delegate.accept(visitor);
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
