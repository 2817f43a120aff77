package io.gatewaybench.webmvc;

import io.gatewaybench.filter.Feature;

import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The filters by which a native route asks for a feature. The gateway finds them by the
 * name of the method, so in YAML they have the names of {@link Feature#filterName()}, as
 * on the other flavour.
 *
 * @since 0.1.0
 */
public final class GatewayFilterFunctions {

	private GatewayFilterFunctions() {
	}

	/**
	 * Ask for {@link Feature#STRIP_PREFIX}.
	 * @return the filter
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> stripGatewayPrefix() {
		return request(Feature.STRIP_PREFIX);
	}

	/**
	 * Ask for {@link Feature#HEADERS}.
	 * @return the filter
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> addGatewayHeaders() {
		return request(Feature.HEADERS);
	}

	/**
	 * Ask for {@link Feature#BODY_REWRITE}.
	 * @return the filter
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> injectGatewayMetadata() {
		return request(Feature.BODY_REWRITE);
	}

	/**
	 * Ask for {@link Feature#METRICS}.
	 * @return the filter
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> recordGatewayMetrics() {
		return request(Feature.METRICS);
	}

	private static HandlerFilterFunction<ServerResponse, ServerResponse> request(Feature feature) {
		return (request, next) -> {
			ServletExchange exchange = ServletExchange.of(request.servletRequest());
			if (exchange == null) {
				return next.handle(request);
			}
			exchange.current().request(feature);
			return next.handle(ClientPathRequest.decorate(request));
		};
	}

}
