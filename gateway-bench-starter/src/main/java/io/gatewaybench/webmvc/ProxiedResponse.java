package io.gatewaybench.webmvc;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.rewrite.ContentCoding;
import io.gatewaybench.internal.tomcat.RequestAttributes;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.handler.GatewayServerResponse;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange.Response;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange.ResponseConsumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Response of an upstream, with the headers that go to the client. The gateway's response
 * writes the body only, and never sees the headers. It would decide about the conditions
 * of the request once more, as the upstream has done, and answer with 304 or 412 without
 * the body whose length the headers tell. The client would take its next response for
 * that body. Also keeps the server from compressing what has to leave as it is.
 */
final class ProxiedResponse implements GatewayServerResponse {

	private static final List<String> GRPC_STATUS = List.of("grpc-status", "grpc-message", "grpc-status-details-bin");

	private final GatewayServerResponse body;

	private final Attempt attempt;

	private final MutableHttpHeaders headers = MutableHttpHeaders.copyOf(HttpHeaders.EMPTY);

	private ProxiedResponse(GatewayServerResponse body, Attempt attempt) {
		this.body = body;
		this.attempt = attempt;
	}

	/**
	 * The response has begun. The filters of its headers change the one copy of them.
	 * @param received what the upstream has sent
	 * @param response the gateway's response, still without headers
	 * @param filters set the headers
	 */
	static void begin(Response received, ServerResponse response, Collection<ResponseConsumer> filters) {
		Response copy = new CopiedResponse(received.getStatusCode(),
				MutableHttpHeaders.copyOf(received.getHeaders()).without(ConnectionOptions.UNNAMED));
		Attempt attempt = Attempt.ofThread();
		ServerResponse begun = response;
		if (attempt != null && response instanceof GatewayServerResponse body) {
			begun = new ProxiedResponse(body, attempt);
			attempt.responded(begun);
		}
		for (ResponseConsumer filter : filters) {
			filter.accept(copy, begun);
		}
	}

	/**
	 * The response that is written.
	 * @param response what the exchange has returned
	 * @return this one. If an exchange of the application has put another one around the
	 * gateway's, that one, with the headers
	 */
	ServerResponse insteadOf(ServerResponse response) {
		if (response == this.body) {
			return this;
		}
		response.headers().putAll(this.headers);
		return response;
	}

	@Override
	public HttpStatusCode statusCode() {
		return this.body.statusCode();
	}

	@Override
	public void setStatusCode(HttpStatusCode statusCode) {
		this.body.setStatusCode(statusCode);
	}

	@Override
	public HttpHeaders headers() {
		return this.headers;
	}

	@Override
	public MultiValueMap<String, Cookie> cookies() {
		return this.body.cookies();
	}

	@Override
	public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse servletResponse,
			Context context) throws ServletException, IOException {
		if (request.getAttribute(RequestAttributes.LEAVE_UNCODED) instanceof Runnable leaveUncoded
				&& !ContentCoding.isAllowed(statusCode().value(), this.headers)) {
			leaveUncoded.run();
		}
		this.headers.forEach((name, values) -> values.forEach((value) -> servletResponse.addHeader(name, value)));
		AcceptedWebSocket webSocket = this.attempt.webSocket();
		if (webSocket != null) {
			webSocket.begin(request, servletResponse);
			return null;
		}
		if (this.attempt.trailers() != null && mayHaveTrailers(request)) {
			servletResponse.setTrailerFields(this::trailers);
		}
		return this.body.writeTo(request, servletResponse, context);
	}

	/**
	 * Those of a body that is rewritten may speak of the old one, as a digest does. Over
	 * HTTP/1.1, Tomcat would send any response in chunks that may have some.
	 */
	private static boolean mayHaveTrailers(HttpServletRequest request) {
		ServletExchange exchange = ServletExchange.of(request);
		return request.getProtocol().equals("HTTP/2.0") && exchange != null
				&& !exchange.current().upstream().isBodyHeld();
	}

	/**
	 * A call of gRPC that fails at once has its status in the head, where the stream ends
	 * with that. Here it may end later, and a client would miss the status there.
	 */
	private Map<String, String> trailers() {
		Map<String, String> trailers = Objects.requireNonNullElse(this.attempt.trailers(), Map.of());
		if (!trailers.isEmpty() || !this.headers.containsHeader("grpc-status")) {
			return trailers;
		}
		Map<String, String> status = new LinkedHashMap<>();
		for (String name : GRPC_STATUS) {
			String value = this.headers.getFirst(name);
			if (value != null) {
				status.put(name, value);
			}
		}
		return status;
	}

	private record CopiedResponse(HttpStatusCode getStatusCode, HttpHeaders getHeaders) implements Response {
	}

}
