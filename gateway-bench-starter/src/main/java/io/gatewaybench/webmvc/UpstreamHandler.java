package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

import io.gatewaybench.upstream.Upstreams;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchangeHandlerFunction;
import org.springframework.http.HttpHeaders;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The gateway's handler, without the URL that it builds for each request. A request to an
 * upstream gets its URL with its instance, from the path and the query that the client
 * wrote. Only where a filter has changed the query is the gateway's URL needed.
 */
final class UpstreamHandler extends ProxyExchangeHandlerFunction {

	private final ProxyExchange exchange;

	private final Supplier<List<RequestHttpHeadersFilter>> requestFilters;

	private final Supplier<List<ResponseHttpHeadersFilter>> responseFilters;

	/**
	 * Create the handler. It looks up the filters at the first request. The gateway's own
	 * does so after the server has started, and the first requests may pass without them.
	 */
	UpstreamHandler(ProxyExchange exchange, ObjectProvider<RequestHttpHeadersFilter> requestFilters,
			ObjectProvider<ResponseHttpHeadersFilter> responseFilters) {
		super(exchange, requestFilters, responseFilters);
		this.exchange = exchange;
		this.requestFilters = SingletonSupplier.of(() -> requestFilters.orderedStream().toList());
		this.responseFilters = SingletonSupplier.of(() -> responseFilters.orderedStream().toList());
	}

	@Override
	public ServerResponse handle(ServerRequest request) {
		URI route = (URI) request.attributes().get(MvcUtils.GATEWAY_REQUEST_URL_ATTR);
		if (route == null || !Upstreams.isUpstream(route) || UpstreamTarget.isQueryChanged(request)) {
			return super.handle(request);
		}
		HttpHeaders headers = filter(this.requestFilters.get(), request.headers().asHttpHeaders(), request);
		if (Boolean.TRUE.equals(request.attributes().get(MvcUtils.PRESERVE_HOST_HEADER_ATTRIBUTE))) {
			headers.set(HttpHeaders.HOST, request.headers().firstHeader(HttpHeaders.HOST));
		}
		else {
			headers.remove(HttpHeaders.HOST);
		}
		return this.exchange.exchange(this.exchange.request(request)
			.uri(route)
			.headers(headers)
			.responseConsumer((received, response) -> response.headers()
				.putAll(filter(this.responseFilters.get(), received.getHeaders(), response)))
			.build());
	}

	private static <T> HttpHeaders filter(List<? extends HttpHeadersFilter<T>> filters, HttpHeaders headers,
			T message) {
		HttpHeaders filtered = headers;
		for (HttpHeadersFilter<T> filter : filters) {
			filtered = filter.apply(filtered, message);
		}
		return filtered;
	}

}
