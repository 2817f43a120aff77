package io.gatewaybench.webflux;

import io.gatewaybench.filter.Feature;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;

/**
 * The filters by which a native route in Java asks for a feature, of the same names as on
 * the other flavour. In YAML, the filters of {@link Feature#filterName()} do the same.
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
	public static GatewayFilter stripGatewayPrefix() {
		return request(Feature.STRIP_PREFIX);
	}

	/**
	 * Ask for {@link Feature#HEADERS}.
	 * @return the filter
	 */
	public static GatewayFilter addGatewayHeaders() {
		return request(Feature.HEADERS);
	}

	/**
	 * Ask for {@link Feature#BODY_REWRITE}.
	 * @return the filter
	 */
	public static GatewayFilter injectGatewayMetadata() {
		return request(Feature.BODY_REWRITE);
	}

	/**
	 * Ask for {@link Feature#METRICS}.
	 * @return the filter
	 */
	public static GatewayFilter recordGatewayMetrics() {
		return request(Feature.METRICS);
	}

	static GatewayFilter request(Feature feature) {
		return new OrderedGatewayFilter((exchange, chain) -> {
			if (ExchangeFilter.find(exchange) != null) {
				ExchangeFilter.toRoute(exchange).request(feature);
			}
			return chain.filter(exchange);
		}, ResponseFilter.ORDER - 1);
	}

}
