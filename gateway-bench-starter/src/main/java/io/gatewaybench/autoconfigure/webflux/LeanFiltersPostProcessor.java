package io.gatewaybench.autoconfigure.webflux;

import io.gatewaybench.webflux.GatewayFilters;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;

/**
 * Puts filters that do the same for the starter's requests at less cost in the place of
 * the gateway's.
 */
final class LeanFiltersPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof HttpHeadersFilter headersFilter) {
			return GatewayFilters.lean(headersFilter);
		}
		return (bean instanceof GlobalFilter globalFilter) ? GatewayFilters.leanUrl(globalFilter) : bean;
	}

}
