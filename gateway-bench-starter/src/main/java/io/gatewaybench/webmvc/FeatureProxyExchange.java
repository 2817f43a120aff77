package io.gatewaybench.webmvc;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.exchange.GrpcTimeout;
import io.gatewaybench.internal.exchange.Mirror;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.exchange.UpstreamWait;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Upstreams;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Sends a request to an instance of its upstream, and again to another one if need be.
 * Every request passes here, whatever the filters of its route are and wherever the route
 * was configured.
 */
final class FeatureProxyExchange implements ProxyExchange {

	private static final Log logger = LogFactory.getLog(FeatureProxyExchange.class);

	private final ProxyExchange others;

	private final Supplier<ProxyExchange> direct;

	private final UpstreamTimeouts directTimeouts;

	private final Map<ConnectSettings, ProxyExchange> byConnectSettings;

	private final FilterSettings settings;

	private final Upstreams upstreams;

	private final Exchanges exchanges;

	private final Mirrors mirrors;

	private final PromptOutputs outputs;

	private final Map<ConnectSettings, ProxyExchange> webSockets;

	private final UpstreamResponses responses;

	/**
	 * Create the exchange.
	 * @param others exchange for routes outside the scope of the features
	 * @param direct exchange for all other routes
	 * @param readTimeout how long to wait for bytes on routes without an upstream; zero
	 * if the exchange sees to it
	 * @param byConnectSettings exchanges in its place for upstreams, by the settings of
	 * their connections
	 * @param settings how the features work
	 * @param upstreams where requests can go
	 * @param exchanges begins them
	 * @param mirrors where requests go as well
	 * @param executor what waits for a slow client in the place of the timer
	 * @param webSockets exchanges for requests that ask for a WebSocket; none where they
	 * pass as any request
	 */
	FeatureProxyExchange(ProxyExchange others, Supplier<ProxyExchange> direct, Duration readTimeout,
			Map<ConnectSettings, ProxyExchange> byConnectSettings, FilterSettings settings, Upstreams upstreams,
			Exchanges exchanges, Mirrors mirrors, Executor executor, Map<ConnectSettings, ProxyExchange> webSockets) {
		this.others = others;
		this.direct = direct;
		this.directTimeouts = new UpstreamTimeouts(Duration.ZERO, readTimeout, readTimeout);
		this.byConnectSettings = byConnectSettings;
		this.settings = settings;
		this.upstreams = upstreams;
		this.exchanges = exchanges;
		this.mirrors = mirrors;
		this.outputs = new PromptOutputs(exchanges.timer(), executor);
		this.webSockets = webSockets;
		this.responses = new UpstreamResponses(settings, this.outputs,
				(outcome) -> exchanges.metrics().rewrite(outcome.tag()));
	}

	@Override
	public RequestBuilder request(ServerRequest serverRequest) {
		return this.others.request(serverRequest);
	}

	@Override
	public ServerResponse exchange(Request request) {
		URI url = Objects.requireNonNull(request.getUri(), "uri must not be null");
		boolean named = Upstreams.isUpstream(url);
		if (!named && !Instance.isAddressedBy(url)) {
			return this.others.exchange(request);
		}
		HttpServletRequest servletRequest = request.getServerRequest().servletRequest();
		ServletExchange owner = ServletExchange.begin(servletRequest, this.exchanges);
		GatewayExchange exchange = owner.route(servletRequest, url, this.settings.scope());
		if (ClientBody.isGone(servletRequest)) {
			throw bodyIsGone(owner.isSent());
		}
		if (!exchange.applies() && !this.settings.scope().everyRoute()) {
			return this.others.exchange(request);
		}
		int refusal = this.settings.requestRules()
			.onRoute(request.getMethod().name(), UpstreamTarget.clientPath(servletRequest),
					UpstreamTarget.pattern(servletRequest));
		if (refusal != RequestRules.PASS) {
			return ServerResponse.status(refusal).build();
		}
		Upstream upstream = named ? this.upstreams.get(url) : null;
		long seconds = (upstream != null && upstream.rateLimit() != null)
				? exchange.outcome().admit(upstream, new RequestView(request.getServerRequest(), url)) : 0;
		if (seconds > 0) {
			return UpstreamErrorResolver.response(UpstreamFailure.RATE_LIMITED, String.valueOf(seconds));
		}
		try {
			ClientBody.restore(request);
			String method = request.getMethod().name();
			boolean hasBody = ClientBody.exists(servletRequest);
			RequestBodies bodies = this.settings.requestBodies();
			boolean mirrored = upstream != null && !asksForWebSocket(request)
					&& this.mirrors.choose(exchange, upstream) != null;
			if (hasBody && !ClientBody.readAhead(servletRequest, bodies, mirrored)) {
				exchange.upstream()
					.uploadBegins((upstream != null) ? bodies.begin(upstream) : bodies.begin(Instance.of(url)));
			}
			if (upstream != null) {
				awaitTurn(exchange, upstream);
				exchange.upstream()
					.sendTo(upstream, method, hasBody, upstream.looksAtRequests()
							? new RequestView(request.getServerRequest(), url) : InstanceChooser.Request.NONE);
				if (upstream.connect().http2()) {
					exchange.deadline()
						.limitByClient(GrpcTimeout.parse(request.getHeaders().getFirst(GrpcTimeout.HEADER)));
				}
			}
			else {
				exchange.upstream().sendToAddress(this.directTimeouts, !hasBody && UpstreamCall.isIdempotent(method));
			}
			return exchange(request, url, owner, exchange);
		}
		catch (RuntimeException ex) {
			if (exchange.outcome().hasClientFailed()) {
				return refuse(owner.hasClientPaused() ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.BAD_REQUEST);
			}
			throw ex;
		}
	}

	private static void awaitTurn(GatewayExchange exchange, Upstream upstream) {
		CompletableFuture<Boolean> turn = exchange.upstream().enter(upstream);
		if (turn == null) {
			return;
		}
		boolean granted = false;
		try {
			granted = turn.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			// By a circuit breaker, which goes on with the request in another thread
			Thread.currentThread().interrupt();
			exchange.end();
		}
		exchange.upstream().waited(granted);
	}

	private static UpstreamException bodyIsGone(boolean sent) {
		if (sent) {
			return UpstreamException.broken(new IOException("The request cannot be sent again without its body"));
		}
		logger.warn("A request was not sent, as something in front of the gateway has read its body and does not give"
				+ " it again: a filter that asks for parts or parameters, or a wrapper that keeps the body for a log");
		return new UpstreamException(UpstreamFailure.BODY_READ_BEFORE, null);
	}

	/**
	 * For a client that did not send its request to the end and is still there. No
	 * exception, which a circuit breaker would take for a failure of the upstream.
	 */
	private static ServerResponse refuse(HttpStatus status) {
		return ServerResponse.status(status).header(HttpHeaders.CONNECTION, "close").build();
	}

	/**
	 * Headers of an attempt. What a customizer adds is not there when it is asked again.
	 */
	private HttpHeaders prepareHeaders(Request request, GatewayExchange exchange) {
		HeaderRules rules = this.settings.requestHeaders();
		boolean customized = rules.isCustomized() && exchange.features().has(Feature.HEADERS);
		HttpHeaders headers = customized ? MutableHttpHeaders.copyOf(request.getHeaders()) : request.getHeaders();
		exchange.changeRequest(rules, headers, isRepeatable(request));
		UpstreamCall call = exchange.upstream().call();
		if (call != null && call.connect().http2() && isGrpc(headers)) {
			headers.set(HttpHeaders.TE, "trailers");
		}
		MutableHttpHeaders.check(headers);
		return headers;
	}

	/**
	 * As the gateway's filter on WebFlux.
	 */
	private static boolean isGrpc(HttpHeaders headers) {
		return StringUtils.startsWithIgnoreCase(headers.getFirst(HttpHeaders.CONTENT_TYPE), "application/grpc");
	}

	private static boolean isRepeatable(Request request) {
		return HttpMethod.GET.equals(request.getMethod())
				&& !ClientBody.exists(request.getServerRequest().servletRequest());
	}

	private ServerResponse exchange(Request request, URI url, ServletExchange owner, GatewayExchange exchange) {
		while (true) {
			Attempt attempt = awaitResponse(request, url, owner, exchange);
			if (this.responses.isPart(exchange, attempt) && exchange.partCame() == Decision.SEND_AGAIN) {
				this.responses.drop(request.getServerRequest(), exchange, attempt);
				continue;
			}
			try {
				return this.responses.respond(request.getServerRequest(), owner, exchange, attempt);
			}
			catch (UpstreamException ex) {
				if (exchange.upstream().bodyFailed(false) == Decision.PASS_ON) {
					throw ex;
				}
				checkUnread(request, attempt);
			}
		}
	}

	private Attempt awaitResponse(Request request, URI url, ServletExchange owner, GatewayExchange exchange) {
		boolean anew = false;
		while (true) {
			try {
				Attempt attempt = send(addressed(request, url, exchange), owner, exchange, anew);
				anew = false;
				this.responses.changeHeaders(request.getServerRequest(), exchange, attempt);
				if (exchange.upstream().responded(attempt.response().statusCode().value()) == Decision.PASS_ON) {
					return attempt;
				}
				this.responses.drop(request.getServerRequest(), exchange, attempt);
				checkUnread(request, attempt);
			}
			catch (RuntimeException ex) {
				UpstreamFailure failure = UpstreamFailure.of(ex);
				if (failure == null) {
					throw ex;
				}
				if (exchange.upstream().attemptFailed(failure) == Decision.PASS_ON) {
					throw (exchange.upstream().call() != null) ? new UpstreamException(failure, ex) : ex;
				}
				anew = failure == UpstreamFailure.CONNECTION_CLOSED;
			}
		}
	}

	/**
	 * Another thread may have begun to read the body from the client when the response
	 * came.
	 */
	private static void checkUnread(Request request, Attempt attempt) {
		attempt.awaitSent();
		if (ClientBody.isGone(request.getServerRequest().servletRequest())) {
			throw bodyIsGone(true);
		}
	}

	/**
	 * Send the request.
	 * @param anew whether to leave out connections that have been used before
	 */
	private Attempt send(Request addressed, ServletExchange owner, GatewayExchange exchange, boolean anew) {
		Attempt attempt = owner.attempt(addressed.getHeaders(), this.outputs.executor(), anew);
		UpstreamWait upstream = exchange.upstream();
		RuntimeException error = null;
		attempt.send();
		try {
			upstream.attempt(attempt, true);
			attempt.responded(client(upstream.call(), addressed).exchange(addressed));
		}
		catch (RuntimeException ex) {
			error = ex;
		}
		finally {
			upstream.attemptEnded();
			attempt.sent();
		}
		if (Thread.currentThread().isInterrupted()) {
			// By a circuit breaker, after its own timeout, which is no fault of the
			// instance. It goes on with the request of the client in another thread
			exchange.end();
		}
		if (error != null) {
			// Nobody else may read the body as long as this attempt does
			attempt.awaitSent();
		}
		else {
			if (!exchange.isOver()) {
				return attempt;
			}
			ResponseBody.abandon(addressed.getServerRequest());
		}
		throw upstream.failure(error);
	}

	private boolean asksForWebSocket(Request request) {
		return !this.webSockets.isEmpty() && AcceptedWebSocket.isAsked(request.getServerRequest().servletRequest());
	}

	private ProxyExchange client(@Nullable UpstreamCall call, Request request) {
		Map<ConnectSettings, ProxyExchange> clients = asksForWebSocket(request) ? this.webSockets
				: this.byConnectSettings;
		ProxyExchange own = (call != null) ? clients.get(call.connect()) : null;
		return (own != null) ? own : this.direct.get();
	}

	private Request addressed(Request request, URI url, GatewayExchange exchange) {
		HttpHeaders headers = prepareHeaders(request, exchange);
		if (!exchange.applies()) {
			exchange.outcome().sending(exchange, url, headers);
			return request;
		}
		UpstreamCall call = exchange.upstream().call();
		Instance instance = (call != null) ? call.instance() : Instance.of(url);
		URI target = UpstreamTarget.of(request.getServerRequest(), instance, url, exchange.features());
		exchange.outcome().sending(exchange, target, headers);
		Mirror mirror = exchange.takeMirror();
		if (mirror != null) {
			HttpServletRequest sent = request.getServerRequest().servletRequest();
			mirror.send(request.getMethod().name(), target, headers, ClientBody.exists(sent), ClientBody.held(sent));
		}
		ClientBody.rewind(request);
		RequestBuilder builder = this.others.request(request.getServerRequest())
			.method(request.getMethod())
			.headers(headers)
			.uri(target);
		builder.responseConsumer(
				(received, response) -> ProxiedResponse.begin(received, response, request.getResponseConsumers()));
		return builder.build();
	}

}
