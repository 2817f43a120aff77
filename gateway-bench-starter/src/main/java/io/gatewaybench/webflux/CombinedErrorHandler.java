package io.gatewaybench.webflux;

import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.handler.ExceptionHandlingWebHandler;

/**
 * Asks the handlers of errors one after another, as Spring does, but only once there is
 * an error.
 *
 * @param handlers the handlers in their order
 */
record CombinedErrorHandler(List<WebExceptionHandler> handlers) implements WebExceptionHandler {

	/**
	 * Make one handler of all.
	 * @param handlers the handlers in their order, replaced by one
	 */
	static void combine(List<WebExceptionHandler> handlers) {
		WebExceptionHandler all = new CombinedErrorHandler(List.copyOf(handlers));
		handlers.clear();
		handlers.add(all);
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		Mono<Void> unhandled = Mono.error(error);
		for (WebExceptionHandler handler : this.handlers) {
			unhandled = unhandled.onErrorResume((current) -> {
				exchange.getAttributes().put(ExceptionHandlingWebHandler.HANDLED_WEB_EXCEPTION, current);
				return handler.handle(exchange, current);
			});
		}
		return unhandled;
	}

}
