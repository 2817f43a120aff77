package io.gatewaybench.autoconfigure.webflux;

import java.util.List;

import io.gatewaybench.webflux.GatewayFilters;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;

/**
 * Puts a filter that sends the starter's requests at less cost in the place of the
 * gateway's. One that the application brings, with a client of its own, stays.
 */
final class LeanRoutingPostProcessor implements BeanPostProcessor {

	private static final String BEAN_NAME = "routingFilter";

	private final ObjectProvider<HttpClient> client;

	private final ObjectProvider<List<HttpHeadersFilter>> headersFilters;

	private final ObjectProvider<HttpClientProperties> properties;

	LeanRoutingPostProcessor(ObjectProvider<HttpClient> client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			ObjectProvider<HttpClientProperties> properties) {
		this.client = client;
		this.headersFilters = headersFilters;
		this.properties = properties;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean.getClass() == NettyRoutingFilter.class && beanName.equals(BEAN_NAME))
				? GatewayFilters.routing(this.client.getObject(), this.headersFilters, this.properties.getObject())
				: bean;
	}

}
