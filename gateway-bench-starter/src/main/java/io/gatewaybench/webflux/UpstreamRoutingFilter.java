package io.gatewaybench.webflux;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * The gateway's filter that sends the request, without a new client for every request of
 * the starter, and without what the client would add to it.
 */
final class UpstreamRoutingFilter extends NettyRoutingFilter {

	private static final Object NO_TIMEOUT = new Object();

	private final Map<Object, PlainClients> byConnectTimeout = new ConcurrentHashMap<>();

	UpstreamRoutingFilter(HttpClient client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			HttpClientProperties properties) {
		super(client, headersFilters, properties);
	}

	@Override
	protected HttpClient getHttpClient(Route route, ServerWebExchange exchange) {
		if (!ExchangeFilter.of(exchange).applies()) {
			return super.getHttpClient(route, exchange);
		}
		Object timeout = route.getMetadata().getOrDefault(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR, NO_TIMEOUT);
		PlainClients clients = this.byConnectTimeout.get(timeout);
		if (clients == null) {
			clients = new PlainClients(super.getHttpClient(route, exchange));
			this.byConnectTimeout.put(timeout, clients);
		}
		return clients.of(exchange.getRequest());
	}

}
