package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.upstream.UpstreamException;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * What becomes of a response of an upstream on its way to the client: headers, cookie and
 * body.
 */
final class UpstreamResponses {

	private final FilterSettings settings;

	private final PromptOutputs outputs;

	private final Consumer<RewriteOutcome> afterRewrite;

	UpstreamResponses(FilterSettings settings, PromptOutputs outputs, Consumer<RewriteOutcome> afterRewrite) {
		this.settings = settings;
		this.outputs = outputs;
		this.afterRewrite = afterRewrite;
	}

	/**
	 * Whether the response is a part of a body that is to be rewritten.
	 */
	boolean isPart(GatewayExchange exchange, Attempt attempt) {
		ServerResponse response = attempt.response();
		return exchange.features().has(Feature.BODY_REWRITE) && this.settings.rewriteRules()
			.isPart(attempt.headers(), response.statusCode().value(), response.headers());
	}

	/**
	 * Pass the response on, with its body as it comes from the upstream.
	 */
	ServerResponse respond(ServerRequest served, ServletExchange owner, GatewayExchange exchange, Attempt attempt) {
		ServerResponse response = attempt.response();
		ResponseBody body = ResponseBody.begin(served, exchange, attempt, this.outputs);
		if (body != null) {
			MvcUtils.putAttribute(served, MvcUtils.CLIENT_RESPONSE_ATTR, body);
			replaceBody(served, body);
			if (exchange.features().has(Feature.BODY_REWRITE)) {
				rewrite(served, response, body);
			}
			body.leavesWith(response.headers());
			owner.respond(exchange, body);
		}
		return response;
	}

	/**
	 * Change the headers. A customizer of the application may fail.
	 */
	void changeHeaders(ServerRequest request, GatewayExchange exchange, Attempt attempt) {
		try {
			exchange.changeResponse(this.settings.responseHeaders(), attempt.response().headers());
		}
		catch (RuntimeException ex) {
			drop(request, exchange, attempt);
			throw ex;
		}
	}

	/**
	 * Leave the body unread, as another attempt follows.
	 */
	void drop(ServerRequest request, GatewayExchange exchange, Attempt attempt) {
		ResponseBody body = ResponseBody.begin(request, exchange, attempt, this.outputs);
		if (body != null) {
			body.drop();
		}
	}

	/**
	 * Sets the body on the servlet request only. A later filter of the route may replace
	 * the body in its own copy of the attributes. The gateway looks into this copy first,
	 * and would write the old body.
	 */
	private static void replaceBody(ServerRequest request, InputStream body) {
		MvcUtils.putAttribute(request, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR, null);
		request.servletRequest().setAttribute(MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR, body);
	}

	private void rewrite(ServerRequest request, ServerResponse response, ResponseBody body) {
		RewriteRules rules = this.settings.rewriteRules();
		int status = response.statusCode().value();
		if (rules.accepts(request.method(), status, response.headers())) {
			rewrite(body, response.headers());
		}
		else {
			rules.adjustWithoutBody(request.method(), status, request.headers().asHttpHeaders(), response.headers());
		}
	}

	private void rewrite(ResponseBody body, HttpHeaders headers) {
		boolean begun = false;
		try {
			RewriteRules.adjust(headers,
					body.rewrite(headers.getContentLength(), this.settings.bodyRewriter(), this.afterRewrite));
			begun = true;
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

}
