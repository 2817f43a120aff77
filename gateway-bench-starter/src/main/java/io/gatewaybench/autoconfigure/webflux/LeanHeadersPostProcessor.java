package io.gatewaybench.autoconfigure.webflux;

import io.gatewaybench.webflux.GatewayFilters;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;

/**
 * Spares the starter's requests the copies that the gateway's filters make of headers.
 */
final class LeanHeadersPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof HttpHeadersFilter filter) ? GatewayFilters.lean(filter) : bean;
	}

}
