package io.gatewaybench.webflux;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.Mirror;
import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.websocket.Handshake;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.UpstreamCall;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter.Type;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.cloud.gateway.support.TimeoutException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/**
 * The gateway's filter that sends the request, at less cost for requests of the starter.
 * The URL is not parsed again, the headers of the response are copied once, and a body
 * that is not there is not read. The client adds nothing to the request. An upstream may
 * have certificates of its own.
 */
final class UpstreamRoutingFilter extends NettyRoutingFilter {

	private static final Object NO_TIMEOUT = new Object();

	private static final String ANY_TYPE = "*/*";

	/** By the connect timeout, and by what is special about the connection. */
	private final Map<Object, HttpClient> clients = new ConcurrentHashMap<>();

	private final HttpClientProperties properties;

	private final BiFunction<HttpClient, ConnectSettings, HttpClient> connections;

	UpstreamRoutingFilter(HttpClient client, ObjectProvider<List<HttpHeadersFilter>> headersFilters,
			HttpClientProperties properties, BiFunction<HttpClient, ConnectSettings, HttpClient> connections) {
		super(client, headersFilters, properties);
		this.properties = properties;
		this.connections = connections;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		GatewayExchange state = ExchangeFilter.of(exchange);
		URI target = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		if (!state.applies() || ServerWebExchangeUtils.isAlreadyRouted(exchange) || !Instance.isAddressedBy(target)) {
			return super.filter(exchange, chain);
		}
		ServerWebExchangeUtils.setAlreadyRouted(exchange);
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		Flux<Void> responded = limited(send(client(route, exchange, state), target, exchange), route);
		return responded.then(chain.filter(exchange));
	}

	/**
	 * The client for a request, one for all routes with the same settings.
	 */
	HttpClient client(Route route, ServerWebExchange exchange, GatewayExchange state) {
		UpstreamCall call = state.upstream().call();
		ConnectSettings connect = (call != null) ? call.connect() : null;
		if (connect != null && connect.http2() && WebSocketRelay.isWanted(exchange)) {
			// HTTP/2 has no upgrade
			connect = new ConnectSettings(connect.timeout(), connect.sslBundle(), false);
		}
		boolean own = connect != null && (connect.sslBundle() != null || connect.http2());
		Object timeout = route.getMetadata().getOrDefault(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR, NO_TIMEOUT);
		Object key = own ? List.of(timeout, connect) : timeout;
		HttpClient known = this.clients.get(key);
		if (known == null) {
			HttpClient client = getHttpClient(route, exchange);
			known = own ? this.connections.apply(client, connect) : client;
			this.clients.put(key, known);
		}
		return known;
	}

	private Flux<Void> send(HttpClient client, URI target, ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		DefaultHttpHeaders headers = requestHeaders(exchange, target);
		HttpClient.RequestSender sender = client.headers((all) -> all.remove(HttpHeaderNames.HOST).add(headers))
			.request(HttpMethod.valueOf(request.getMethod().name()));
		return uri(sender, target).send((sent, outbound) -> {
			WebSocketRelay.sent(exchange, outbound);
			return send(request, headers, sent, outbound);
		}).responseConnection((response, connection) -> {
			Connection guarded = ExchangeConnection.guarded(connection);
			if (Attempt.responds(response, guarded)) {
				begin(exchange, response, guarded);
			}
			return Mono.empty();
		});
	}

	/**
	 * Made before there is a connection: a header that no message can have is no failure
	 * of the upstream.
	 */
	private DefaultHttpHeaders requestHeaders(ServerWebExchange exchange, URI target) {
		DefaultHttpHeaders headers = new DefaultHttpHeaders();
		HttpHeaders filtered = HttpHeadersFilter.filterRequest(getHeadersFilters(), exchange);
		Mirror mirror = ExchangeFilter.of(exchange).takeMirror();
		if (mirror != null) {
			ServerHttpRequest request = exchange.getRequest();
			mirror.send(request.getMethod().name(), target, filtered, mayHaveBody(request),
					(request instanceof RequestWithBody known) ? known.held() : null);
		}
		filtered.forEach(headers::set);
		headers.remove(HttpHeaderNames.HOST);
		if (WebSocketRelay.isWanted(exchange)) {
			headers.set(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE);
			headers.set(HttpHeaderNames.UPGRADE, Handshake.PROTOCOL);
			headers.remove(HttpHeaderNames.CONTENT_LENGTH);
		}
		if (exchange.getAttributeOrDefault(ServerWebExchangeUtils.PRESERVE_HOST_HEADER_ATTRIBUTE, false)) {
			headers.set(HttpHeaderNames.HOST, exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST));
		}
		return headers;
	}

	/**
	 * Reactor Netty encodes nothing in a URI, and knows only some hosts of a URL that
	 * Java does not, such as one with an underscore.
	 */
	static HttpClient.RequestSender uri(HttpClient.RequestSender sender, URI target) {
		String url = target.toASCIIString();
		return (target.getHost() != null && url.equals(target.toString())) ? sender.uri(target) : sender.uri(url);
	}

	/**
	 * Leaves out what Reactor Netty has added: {@code User-Agent}, {@code Accept}, and
	 * the chunked coding of a request that has no body. What the application has told the
	 * client to add stays.
	 */
	private Publisher<Void> send(ServerHttpRequest request, DefaultHttpHeaders headers, HttpClientRequest sent,
			NettyOutbound outbound) {
		io.netty.handler.codec.http.HttpHeaders all = sent.requestHeaders();
		leaveOut(HttpHeaderNames.USER_AGENT, HttpClient.USER_AGENT, headers, all);
		leaveOut(HttpHeaderNames.ACCEPT, ANY_TYPE, headers, all);
		if (!mayHaveBody(request)) {
			all.remove(HttpHeaderNames.TRANSFER_ENCODING);
			// With other methods, Reactor Netty would add a length
			if (all.contains(HttpHeaderNames.CONTENT_LENGTH) || RequestWithBody.isCollected(request)) {
				return Mono.empty();
			}
		}
		return outbound.send(request.getBody().map(this::getByteBuf));
	}

	private static void leaveOut(AsciiString name, String added, DefaultHttpHeaders headers,
			io.netty.handler.codec.http.HttpHeaders all) {
		if (!headers.contains(name) && added.equals(all.get(name))) {
			all.remove(name);
		}
	}

	/**
	 * A filter that decorates the request may have given it a body.
	 */
	private static boolean mayHaveBody(ServerHttpRequest request) {
		return RequestWithBody.hasBody(request)
				|| (request instanceof ServerHttpRequestDecorator && !(request instanceof EmptyRequest));
	}

	/**
	 * The response has begun. Filters see its status and its headers before the gateway
	 * writes it.
	 */
	private void begin(ServerWebExchange exchange, HttpClientResponse upstream, Connection connection) {
		Map<String, Object> attributes = exchange.getAttributes();
		attributes.put(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR, upstream);
		if (!WebSocketRelay.responded(exchange, upstream, connection)) {
			attributes.put(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR, connection);
		}
		HttpHeaders headers = MutableHttpHeaders.of(upstream.responseHeaders()).without(ConnectionOptions.UNNAMED);
		String contentType = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		if (StringUtils.hasLength(contentType)) {
			attributes.put(ServerWebExchangeUtils.ORIGINAL_RESPONSE_CONTENT_TYPE_ATTR, contentType);
		}
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(upstream.status().code()));
		HttpHeaders filtered = HttpHeadersFilter.filter(getHeadersFilters(), headers, exchange, Type.RESPONSE);
		attributes.put(ServerWebExchangeUtils.CLIENT_RESPONSE_HEADER_NAMES, filtered.headerNames());
		if (!response.isCommitted()) {
			response.getHeaders().addAll(filtered);
		}
	}

	/**
	 * The gateway's own limit, which it has besides those of the starter.
	 */
	private Flux<Void> limited(Flux<Void> responded, Route route) {
		Duration timeout = responseTimeout(route);
		return (timeout != null) ? responded.timeout(timeout, Mono.error(() -> timedOut(timeout))) : responded;
	}

	private @Nullable Duration responseTimeout(Route route) {
		Object timeout = route.getMetadata().get(RouteMetadataUtils.RESPONSE_TIMEOUT_ATTR);
		if (timeout == null) {
			return this.properties.getResponseTimeout();
		}
		try {
			long millis = (timeout instanceof Number number) ? number.longValue() : Long.parseLong(timeout.toString());
			return (millis >= 0) ? Duration.ofMillis(millis) : null;
		}
		catch (NumberFormatException ex) {
			// As the gateway does
			return this.properties.getResponseTimeout();
		}
	}

	private static ResponseStatusException timedOut(Duration timeout) {
		TimeoutException cause = new TimeoutException("Response took longer than timeout: " + timeout);
		return new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT, cause.getMessage(), cause);
	}

}
