package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.OwnHeaders;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.ResponseRules;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.Watchdog;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Stands around the exchange with the upstream, the one place that every route passes
 * whatever its filters are and wherever it was configured.
 */
final class FeatureProxyExchange implements ProxyExchange {

	private final ProxyExchange others;

	private final ProxyExchange delegate;

	private final UpstreamTimeouts directTimeouts;

	private final Map<Duration, ProxyExchange> byConnectTimeout;

	private final FilterSettings settings;

	private final Upstreams upstreams;

	private final GatewayMetrics metrics;

	private final Watchdog watchdog;

	/**
	 * Create the exchange.
	 * @param others exchange for routes outside the scope of the features
	 * @param delegate exchange for all other routes
	 * @param readTimeout how long to wait for bytes on routes without an upstream; zero
	 * if the exchange sees to it
	 * @param byConnectTimeout exchanges in its place for upstreams with a connect timeout
	 * @param settings how the features work
	 * @param upstreams where requests can go
	 * @param metrics what counts them
	 * @param watchdog what ends waiting for an upstream
	 */
	FeatureProxyExchange(ProxyExchange others, ProxyExchange delegate, Duration readTimeout,
			Map<Duration, ProxyExchange> byConnectTimeout, FilterSettings settings, Upstreams upstreams,
			GatewayMetrics metrics, Watchdog watchdog) {
		this.others = others;
		this.delegate = delegate;
		this.directTimeouts = new UpstreamTimeouts(Duration.ZERO, readTimeout, readTimeout);
		this.byConnectTimeout = byConnectTimeout;
		this.settings = settings;
		this.upstreams = upstreams;
		this.metrics = metrics;
		this.watchdog = watchdog;
	}

	@Override
	public RequestBuilder request(ServerRequest serverRequest) {
		return this.delegate.request(serverRequest);
	}

	@Override
	public ServerResponse exchange(Request request) {
		URI url = Objects.requireNonNull(request.getUri(), "uri must not be null");
		boolean named = Upstreams.isUpstream(url);
		if (!named && !Instance.isAddressedBy(url)) {
			return this.others.exchange(request);
		}
		HttpServletRequest servletRequest = request.getServerRequest().servletRequest();
		UpstreamBody.detachFrom(servletRequest);
		if (ClientBody.isGone(servletRequest)) {
			throw UpstreamException.broken(new IOException("The request cannot be sent again without its body"));
		}
		RouteFeatures features = RequestFeatures.resolve(servletRequest, this.settings.scope());
		boolean plain = !named && features.isEmpty();
		if (plain && !this.settings.scope().everyRoute()) {
			return this.others.exchange(request);
		}
		prepareHeaders(request, features);
		try {
			ClientBody.restore(request);
			if (named) {
				return exchangeWithUpstream(request, url, features);
			}
			Request direct = plain ? request : send(request, Instance.of(url), url, features);
			return respond(request, exchangeDirectly(direct), features);
		}
		catch (RuntimeException ex) {
			if (WatchedRequest.hasClientFailed(servletRequest)) {
				return refuse();
			}
			throw ex;
		}
	}

	/**
	 * For a client that did not send its request to the end and is still there. No
	 * exception, which a circuit breaker would take for a failure of the upstream.
	 */
	private static ServerResponse refuse() {
		return ServerResponse.badRequest().header(HttpHeaders.CONNECTION, "close").build();
	}

	/**
	 * The server has answered the expectation. An upstream that answers it again sends an
	 * interim response, which a client of upstreams may take for the response.
	 */
	private void prepareHeaders(Request request, RouteFeatures features) {
		request.getHeaders().remove(HttpHeaders.EXPECT);
		if (features.has(Feature.HEADERS)) {
			this.settings.requestHeaders().applyTo(request.getHeaders());
		}
		if (features.has(Feature.BODY_REWRITE)) {
			ResponseRules.askForPlainBody(request.getHeaders());
		}
		OwnHeaders.check(request.getHeaders());
	}

	private ServerResponse exchangeDirectly(Request request) {
		return this.directTimeouts.equals(UpstreamTimeouts.NONE) ? this.delegate.exchange(request)
				: exchangeUnderWatch(this.delegate, request, this.directTimeouts, null);
	}

	private ServerResponse exchangeWithUpstream(Request request, URI url, RouteFeatures features) {
		UpstreamCall call = new UpstreamCall(this.upstreams.get(url), request.getMethod().name(),
				hasBody(request.getServerRequest().servletRequest()), this.metrics);
		while (true) {
			ServerResponse response = awaitResponse(request, url, features, call);
			try {
				return respond(request, response, features);
			}
			catch (UpstreamException ex) {
				if (!call.resend()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * As the exchange with the upstream asks.
	 */
	private static boolean hasBody(HttpServletRequest request) {
		try {
			return !request.getInputStream().isFinished();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ServerResponse awaitResponse(Request request, URI url, RouteFeatures features, UpstreamCall call) {
		ProxyExchange exchange = this.byConnectTimeout.getOrDefault(call.timeouts().connect(), this.delegate);
		while (true) {
			try {
				ServerResponse response = exchangeUnderWatch(exchange, send(request, call.instance(), url, features),
						call.timeouts(), call);
				if (!call.responded(response.statusCode().value())) {
					return response;
				}
				drop(request.getServerRequest());
			}
			catch (RuntimeException ex) {
				UpstreamFailure failure = UpstreamFailure.of(ex);
				if (failure == null) {
					throw ex;
				}
				if (!call.failed(failure)) {
					throw new UpstreamException(failure, ex);
				}
			}
		}
	}

	private ServerResponse exchangeUnderWatch(ProxyExchange exchange, Request request, UpstreamTimeouts timeouts,
			@Nullable UpstreamCall call) {
		HttpServletRequest servletRequest = request.getServerRequest().servletRequest();
		ResponseWatch watch = ResponseWatch.begin(servletRequest, timeouts, call, this.watchdog);
		watch.awaitResponse();
		try {
			ServerResponse response = exchange.exchange(request);
			boolean inTime = watch.begun();
			if (watch.isGivenUp()) {
				// The request may have another response by now
				throw new CancellationException("The request has been given up");
			}
			if (!inTime) {
				// It came at the very moment, so another watch has to see to the body
				ResponseWatch.begin(servletRequest, timeouts, call, this.watchdog).begun();
			}
			return response;
		}
		catch (RuntimeException ex) {
			boolean inTime = watch.begun();
			boolean givenUp = watch.isGivenUp();
			watch.close();
			if (givenUp) {
				throw (ex instanceof CancellationException) ? ex
						: new CancellationException("The request has been given up");
			}
			throw inTime ? ex : new UpstreamException(UpstreamFailure.RESPONSE_TIMEOUT, ex);
		}
		finally {
			ResponseWatch.forget();
		}
	}

	private Request send(Request request, Instance instance, URI url, RouteFeatures features) {
		ClientBody.rewind(request);
		RequestBuilder builder = this.delegate.request(request.getServerRequest())
			.method(request.getMethod())
			.headers(request.getHeaders())
			.uri(target(request.getServerRequest(), instance, url, features));
		request.getResponseConsumers().forEach((consumer) -> builder.responseConsumer(copyHeadersFor(consumer)));
		return builder.build();
	}

	/**
	 * Before all filters of headers of the response.
	 */
	private static ResponseConsumer copyHeadersFor(ResponseConsumer consumer) {
		return (response, serverResponse) -> consumer.accept(
				new CopiedResponse(response.getStatusCode(), OwnHeaders.copyOf(response.getHeaders())), serverResponse);
	}

	/**
	 * The path is that of the request, because the gateway makes one slash of two when it
	 * builds the URL.
	 */
	private static URI target(ServerRequest request, Instance instance, URI url, RouteFeatures features) {
		try {
			return instance.target(UpstreamPath.of(request, features), RawQuery.of(request, url));
		}
		catch (IllegalArgumentException ex) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, ex.getMessage(), ex);
		}
	}

	private ServerResponse respond(Request request, ServerResponse response, RouteFeatures features) {
		if (features.has(Feature.HEADERS)) {
			this.settings.responseHeaders().applyTo(response.headers());
		}
		watchBody(request.getServerRequest(), response, features);
		return response;
	}

	private void watchBody(ServerRequest request, ServerResponse response, RouteFeatures features) {
		UpstreamBody body = UpstreamBody.begin(request);
		if (body == null) {
			return;
		}
		boolean rewritten = features.has(Feature.BODY_REWRITE)
				&& ResponseRules.accepts(request.method(), response.statusCode().value(), response.headers());
		MvcUtils.putAttribute(request, MvcUtils.CLIENT_RESPONSE_ATTR, body);
		replaceBody(request, rewritten ? rewrite(body, response.headers()) : body);
		body.attachTo(request.servletRequest());
	}

	private static void drop(ServerRequest request) {
		UpstreamBody body = UpstreamBody.begin(request);
		if (body != null) {
			body.drop();
		}
	}

	/**
	 * Only on the servlet request: a filter of the route that replaces the body after us
	 * knows another copy of the attributes, and the gateway, once it writes the body,
	 * would find that of this copy first.
	 */
	private static void replaceBody(ServerRequest request, InputStream body) {
		MvcUtils.putAttribute(request, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR, null);
		request.servletRequest().setAttribute(MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR, body);
	}

	private InputStream rewrite(UpstreamBody body, HttpHeaders headers) {
		boolean begun = false;
		try {
			RewritingInputStream rewriting = new RewritingInputStream(body, headers.getContentLength(),
					this.settings.bodyRewriter(), (outcome) -> this.metrics.rewrite(outcome.tag()));
			ResponseRules.adjust(headers, rewriting.begin());
			begun = true;
			return rewriting;
		}
		catch (IOException ex) {
			throw UpstreamException.broken(body.isBroken() ? body.failure() : ex);
		}
		finally {
			if (!begun) {
				body.drop();
			}
		}
	}

	private record CopiedResponse(HttpStatusCode getStatusCode, HttpHeaders getHeaders) implements Response {
	}

}
