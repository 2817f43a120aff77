package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.GatewayFilters;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;

/**
 * Spares the starter's requests the copies that the gateway's filters make of headers.
 */
final class LeanFiltersPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof HttpHeadersFilter<?> filter) ? GatewayFilters.lean(filter) : bean;
	}

}
