package io.gatewaybench.webmvc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.internal.tomcat.RequestAttributes;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.lang.Contract;
import org.springframework.web.ErrorResponse;

/**
 * Begins an exchange with the arrival of its request, and ends it with the last byte of
 * its response. It ends what the gateway leaves open: a body of the upstream that is not
 * read, as when a filter of the application answers; and the response to the client when
 * the upstream broke off. The gateway would end that one as if it were complete. The
 * client sees an error while nothing has been sent, else a connection that closes too
 * early.
 */
final class ExchangeFilter implements Filter {

	private static final List<String> OF_THE_BODY = List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.CONTENT_LENGTH,
			HttpHeaders.CONTENT_ENCODING);

	private final Exchanges exchanges;

	private final OpenRequests open;

	ExchangeFilter(Exchanges exchanges, OpenRequests open) {
		this.exchanges = exchanges;
		this.open = open;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (request.getDispatcherType() != DispatcherType.REQUEST) {
			exchange(request, response, chain);
			return;
		}
		this.open.begun();
		try {
			exchange(request, response, chain);
		}
		finally {
			if (!request.isAsyncStarted()) {
				this.open.ended();
			}
		}
	}

	private void exchange(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest httpRequest = (HttpServletRequest) request;
		HttpServletResponse httpResponse = (HttpServletResponse) response;
		int refusal = ClientRequest.refusal(httpRequest);
		if (refusal != RequestRules.PASS) {
			ClientRequest.answer(httpResponse, refusal);
			return;
		}
		ServletExchange exchange = ServletExchange.begin(httpRequest, this.exchanges);
		if (exchange.isBrokenOff()) {
			// The page about the error is to follow what has left already
			return;
		}
		if (request.getDispatcherType() == DispatcherType.FORWARD) {
			exchange.forward();
			chain.doFilter(request, response);
			return;
		}
		try {
			filter(httpRequest, httpResponse, chain, exchange);
		}
		catch (IOException | ServletException | RuntimeException | Error ex) {
			if (request.getDispatcherType() == DispatcherType.REQUEST) {
				failed(exchange, httpResponse, ex);
			}
			throw ex;
		}
		if (request.getDispatcherType() == DispatcherType.REQUEST && !request.isAsyncStarted()
				&& !exchange.isUpgraded()) {
			completed(exchange, httpResponse);
		}
	}

	private static void completed(ServletExchange exchange, HttpServletResponse response) {
		GatewayExchange current = exchange.current();
		current.outcome().completed(current, response.getStatus());
	}

	/**
	 * Where nothing has been sent yet, an error page follows that this filter does not
	 * see; it has the status that the exception asks for.
	 */
	private static void failed(ServletExchange exchange, HttpServletResponse response, Throwable error) {
		Throwable cause = (error instanceof ServletException && error.getCause() != null) ? error.getCause() : error;
		int told = (cause instanceof ErrorResponse known) ? known.getStatusCode().value()
				: HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
		boolean committed = response.isCommitted();
		GatewayExchange current = exchange.current();
		current.outcome().failed(current, committed ? response.getStatus() : told, committed);
	}

	private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain,
			ServletExchange exchange) throws IOException, ServletException {
		boolean answered = false;
		Exception error = null;
		try {
			chain.doFilter(prepare(request, exchange), response);
			answered = true;
		}
		catch (IOException | ServletException | RuntimeException ex) {
			if (isRefused(ex, exchange, response)) {
				return;
			}
			if (!isBroken(exchange.body())) {
				breakOff(exchange, request, response);
				throw ex;
			}
			error = ex;
		}
		finally {
			release(exchange, request, response, answered);
		}
		ResponseBody body = exchange.body();
		if (!isBroken(body)) {
			return;
		}
		if (response.isCommitted()) {
			breakOff(exchange, request, response);
			throw new IOException("The upstream broke off its response", error);
		}
		reset(response, body.headersToClient());
		UpstreamErrorResolver.answer(response, body.failure().failure());
	}

	/**
	 * Take back the headers of the upstream. Those of filters stay, as a page of another
	 * origin needs them to read the answer.
	 */
	private static void reset(HttpServletResponse response, HttpHeaders upstream) {
		Map<String, List<String>> kept = new LinkedHashMap<>();
		for (String name : response.getHeaderNames()) {
			if (OF_THE_BODY.stream().noneMatch(name::equalsIgnoreCase)) {
				List<String> values = new ArrayList<>(response.getHeaders(name));
				upstream.getOrEmpty(name).forEach(values::remove);
				kept.put(name, values);
			}
		}
		response.reset();
		kept.forEach((name, values) -> values.forEach((value) -> response.addHeader(name, value)));
	}

	/**
	 * The second part of an asynchronous exchange has the request that was prepared in
	 * the first.
	 */
	private static HttpServletRequest prepare(HttpServletRequest request, ServletExchange exchange) {
		if (request.getDispatcherType() == DispatcherType.ASYNC) {
			return request;
		}
		HttpServletRequest named = Http2Request.decorate(ClientRequest.ownHeaders(request));
		HttpServletRequest watched = RequestWithBody.mayHaveBody(named) ? new RequestWithBody(named, exchange) : named;
		return PartsRequest.decorate(FormRequest.decorate(watched, exchange));
	}

	/**
	 * Answer as the container does where its filters ask for the parameters of a form. It
	 * has answered already if the client did not send the form to the end.
	 */
	private static boolean isRefused(Exception error, ServletExchange exchange, HttpServletResponse response)
			throws IOException {
		FormRequest.Refusal refusal = FormRequest.Refusal.in(error);
		if (refusal == null) {
			return false;
		}
		if (response.isCommitted()) {
			return exchange.current().outcome().hasClientFailed();
		}
		response.sendError(refusal.status());
		return true;
	}

	@Contract("null -> false")
	private static boolean isBroken(@Nullable ResponseBody body) {
		return body != null && body.isBroken();
	}

	/**
	 * End a response that has begun by the exception that follows. A stream of HTTP/2 is
	 * then reset; Tomcat would end it as if the response were whole, unless there are
	 * trailers to ask for.
	 */
	private static void breakOff(ServletExchange exchange, HttpServletRequest request, HttpServletResponse response) {
		if (!response.isCommitted()) {
			return;
		}
		exchange.breakOff();
		if (request.getAttribute(RequestAttributes.RESET_ON_CLOSE) instanceof Runnable resetOnClose) {
			resetOnClose.run();
		}
		if ("HTTP/2.0".equals(request.getProtocol())) {
			response.setTrailerFields(() -> {
				throw new IllegalStateException("The response broke off");
			});
		}
	}

	private void release(ServletExchange exchange, HttpServletRequest request, HttpServletResponse response,
			boolean answered) throws IOException {
		if (request.isAsyncStarted()) {
			request.getAsyncContext().addListener(new Completion(exchange, response, this.open));
		}
		else if (exchange.isUpgraded()) {
			// It ends with the WebSocket
			return;
		}
		else if (answered) {
			exchange.completed();
			exchange.awaitSent(response, !isBroken(exchange.body()));
		}
		else {
			exchange.aborted();
			exchange.awaitSent(response, false);
		}
	}

	/**
	 * Ends what is left of an asynchronous exchange that is completed without another
	 * dispatch.
	 *
	 * @param exchange the exchange
	 * @param response the response to the client
	 * @param open where the request is open
	 */
	private record Completion(ServletExchange exchange, HttpServletResponse response,
			OpenRequests open) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			this.exchange.aborted();
			Throwable error = event.getThrowable();
			if (error != null) {
				failed(this.exchange, this.response, error);
			}
			else {
				completed(this.exchange, this.response);
			}
			// Each dispatch adds such a listener
			if (this.exchange.leave()) {
				this.open.ended();
			}
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			// The container completes the exchange
		}

		@Override
		public void onError(AsyncEvent event) {
			// As for a time-out
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}
