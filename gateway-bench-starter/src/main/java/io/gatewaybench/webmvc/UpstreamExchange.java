package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The gateway's own exchange, except that it lets go of the upstream at once when the
 * client goes away. The gateway reads the response to its end first, which an endless
 * stream does not have (spring-cloud-gateway issue 3999).
 */
final class UpstreamExchange extends RestClientProxyExchange {

	private static final ThreadLocal<@Nullable HttpHeaders> CURRENT_HEADERS = new ThreadLocal<>();

	UpstreamExchange(RestClient restClient, GatewayMvcProperties properties) {
		super(restClient, properties);
	}

	@Override
	public ServerResponse exchange(Request request) {
		CURRENT_HEADERS.set(request.getHeaders());
		try {
			return super.exchange(request);
		}
		catch (RuntimeException ex) {
			throw (UpstreamFailure.of(ex) == UpstreamFailure.NO_CONNECTION)
					? new UpstreamException(UpstreamFailure.NO_CONNECTION, ex) : ex;
		}
		finally {
			CURRENT_HEADERS.remove();
		}
	}

	static @Nullable HttpHeaders currentHeaders() {
		return CURRENT_HEADERS.get();
	}

	@Override
	protected int copyResponseBody(ClientHttpResponse response, InputStream body, OutputStream out) throws IOException {
		try {
			return super.copyResponseBody(response, body, out);
		}
		catch (IOException | RuntimeException ex) {
			UpstreamBody.abort(response.getBody());
			throw ex;
		}
	}

}
