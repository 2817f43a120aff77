package io.gatewaybench.webflux;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import io.netty.channel.ChannelOption;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * The gateway's filter that sends the request, without a new client for every request to
 * an upstream: there is one for each of their connect timeouts.
 */
final class LeanRoutingFilter extends NettyRoutingFilter {

	private final Map<Object, HttpClient> byConnectTimeout = new HashMap<>();

	LeanRoutingFilter(HttpClient client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			HttpClientProperties properties, Upstreams upstreams) {
		super(client, headersFilters, properties);
		for (Upstream upstream : upstreams.all()) {
			this.byConnectTimeout.computeIfAbsent(ConnectTimeout.millis(upstream.timeouts().connect()),
					(millis) -> client.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (Integer) millis));
		}
	}

	@Override
	protected HttpClient getHttpClient(Route route, ServerWebExchange exchange) {
		HttpClient client = this.byConnectTimeout.get(route.getMetadata().get(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR));
		return (client != null) ? client : super.getHttpClient(route, exchange);
	}

}
