package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.GatewayFilters;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;

/**
 * Spares the starter's requests the copies that the gateway's filters make of headers,
 * and what its filter of forms does to them.
 */
final class LeanFiltersPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof FormFilter filter) {
			return GatewayFilters.raw(filter);
		}
		return (bean instanceof HttpHeadersFilter<?> filter) ? GatewayFilters.lean(filter) : bean;
	}

}
