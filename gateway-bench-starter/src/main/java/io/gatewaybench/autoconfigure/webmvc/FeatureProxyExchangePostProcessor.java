package io.gatewaybench.autoconfigure.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.gatewaybench.webmvc.GatewayFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/**
 * Puts the features around whichever {@link ProxyExchange} the application has, its own
 * included. The gateway's own one does not send the starter's requests: its client is set
 * up otherwise, and it keeps upstreams busy whose clients have gone.
 */
final class FeatureProxyExchangePostProcessor implements BeanPostProcessor {

	private final ObjectProvider<GatewayFilters> filters;

	private final ObjectProvider<RestClient.Builder> clients;

	private final ObjectProvider<ClientHttpRequestFactory> requestFactory;

	private final ObjectProvider<UpstreamRequestFactories> upstreamFactories;

	private final ObjectProvider<GatewayMvcProperties> properties;

	FeatureProxyExchangePostProcessor(ObjectProvider<GatewayFilters> filters,
			ObjectProvider<RestClient.Builder> clients, ObjectProvider<ClientHttpRequestFactory> requestFactory,
			ObjectProvider<UpstreamRequestFactories> upstreamFactories,
			ObjectProvider<GatewayMvcProperties> properties) {
		this.filters = filters;
		this.clients = clients;
		this.requestFactory = requestFactory;
		this.upstreamFactories = upstreamFactories;
		this.properties = properties;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean.getClass() == RestClientProxyExchange.class) {
			RestClient.Builder client = this.clients.getObject().clone();
			this.requestFactory.ifAvailable(client::requestFactory);
			return around((RestClientProxyExchange) bean, client, this.upstreamFactories.getIfAvailable());
		}
		return (bean instanceof ProxyExchange exchange) ? this.filters.getObject().around(exchange) : bean;
	}

	private ProxyExchange around(RestClientProxyExchange exchange, RestClient.Builder client,
			@Nullable UpstreamRequestFactories factories) {
		Duration readTimeout = (factories != null) ? factories.readTimeout() : Duration.ZERO;
		return this.filters.getObject()
			.around(exchange, client.build(), readTimeout,
					(factories != null) ? byConnectTimeout(client, factories) : Map.of(), this.properties.getObject());
	}

	private static Map<Duration, RestClient> byConnectTimeout(RestClient.Builder client,
			UpstreamRequestFactories factories) {
		Map<Duration, RestClient> clients = new HashMap<>();
		factories.byConnectTimeout()
			.forEach((timeout, factory) -> clients.put(timeout, client.clone().requestFactory(factory).build()));
		return clients;
	}

}
