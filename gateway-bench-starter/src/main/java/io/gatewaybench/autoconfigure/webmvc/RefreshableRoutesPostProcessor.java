package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.GatewayFilters;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Keeps the routes of the gateway's properties refreshable beside those of the starter.
 */
final class RefreshableRoutesPostProcessor implements BeanPostProcessor {

	@Override
	@SuppressWarnings("unchecked")
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return beanName.equals("gatewayCompositeRouterFunction")
				? GatewayFilters.refreshable((RouterFunction<ServerResponse>) bean) : bean;
	}

}
