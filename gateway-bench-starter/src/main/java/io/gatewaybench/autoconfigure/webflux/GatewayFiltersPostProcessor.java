package io.gatewaybench.autoconfigure.webflux;

import java.util.List;

import io.gatewaybench.webflux.GatewayFilters;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;

/**
 * Replaces filters of the gateway that cost more than the starter's requests need. The
 * gateway has no condition that an application could use to leave them out. Filters of
 * the application stay, such as one that sends requests with a client of its own.
 */
final class GatewayFiltersPostProcessor implements BeanPostProcessor {

	private static final String ROUTING_FILTER = "routingFilter";

	private final ObjectProvider<HttpClient> client;

	private final ObjectProvider<List<HttpHeadersFilter>> headersFilters;

	private final ObjectProvider<HttpClientProperties> properties;

	GatewayFiltersPostProcessor(ObjectProvider<HttpClient> client,
			ObjectProvider<List<HttpHeadersFilter>> headersFilters, ObjectProvider<HttpClientProperties> properties) {
		this.client = client;
		this.headersFilters = headersFilters;
		this.properties = properties;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean.getClass() == NettyRoutingFilter.class && beanName.equals(ROUTING_FILTER)) {
			return GatewayFilters.routing(this.client.getObject(), this.headersFilters, this.properties.getObject());
		}
		if (bean instanceof HttpHeadersFilter headersFilter) {
			return GatewayFilters.withoutCopies(headersFilter);
		}
		return (bean instanceof GlobalFilter globalFilter) ? GatewayFilters.upstreamUrl(globalFilter) : bean;
	}

}
