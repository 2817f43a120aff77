package io.gatewaybench.webflux;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.upstream.UpstreamCall;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
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
 * the starter, and without what the client would add to it. An upstream may have
 * certificates of its own.
 */
final class UpstreamRoutingFilter extends NettyRoutingFilter {

	private static final Object NO_TIMEOUT = new Object();

	/** By the connect timeout, and by the bundle where there is one. */
	private final Map<Object, PlainClients> clients = new ConcurrentHashMap<>();

	private final Function<String, SslContext> bundles;

	UpstreamRoutingFilter(HttpClient client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			HttpClientProperties properties, Function<String, SslContext> bundles) {
		super(client, headersFilters, properties);
		this.bundles = bundles;
	}

	@Override
	protected HttpClient getHttpClient(Route route, ServerWebExchange exchange) {
		GatewayExchange state = ExchangeFilter.of(exchange);
		if (!state.applies()) {
			return super.getHttpClient(route, exchange);
		}
		UpstreamCall call = state.call();
		String bundle = (call != null) ? call.connect().sslBundle() : null;
		Object timeout = route.getMetadata().getOrDefault(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR, NO_TIMEOUT);
		Object key = (bundle != null) ? List.of(timeout, bundle) : timeout;
		PlainClients known = this.clients.get(key);
		if (known == null) {
			known = new PlainClients(secured(super.getHttpClient(route, exchange), bundle));
			this.clients.put(key, known);
		}
		return known.of(exchange.getRequest());
	}

	private HttpClient secured(HttpClient client, @Nullable String bundle) {
		if (bundle == null) {
			return client;
		}
		SslContext context = this.bundles.apply(bundle);
		return client.secure((spec) -> spec.sslContext(context));
	}

}
