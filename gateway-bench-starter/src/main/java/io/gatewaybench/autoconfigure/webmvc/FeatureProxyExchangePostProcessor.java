package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.GatewayFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;

/**
 * Puts the features around whichever {@link ProxyExchange} the application has, its own
 * included.
 */
final class FeatureProxyExchangePostProcessor implements BeanPostProcessor {

	private final ObjectProvider<GatewayFilters> filters;

	FeatureProxyExchangePostProcessor(ObjectProvider<GatewayFilters> filters) {
		this.filters = filters;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof ProxyExchange exchange) ? this.filters.getObject().around(exchange) : bean;
	}

}
