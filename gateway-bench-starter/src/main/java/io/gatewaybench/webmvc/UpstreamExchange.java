package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;

import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.StreamUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The gateway's own exchange, except that it lets go of the upstream at once when the
 * client goes away. The gateway reads the response to its end first, which an endless
 * stream does not have (spring-cloud-gateway issue 3999).
 */
final class UpstreamExchange extends RestClientProxyExchange {

	UpstreamExchange(RestClient restClient, GatewayMvcProperties properties) {
		super(restClient, properties);
	}

	@Override
	public ServerResponse exchange(Request request) {
		try {
			return super.exchange(request);
		}
		catch (RuntimeException ex) {
			if (isWithoutStatus(ex)) {
				throw new UpstreamException(UpstreamFailure.BROKEN, ex);
			}
			throw (UpstreamFailure.of(ex) == UpstreamFailure.NO_CONNECTION)
					? new UpstreamException(UpstreamFailure.NO_CONNECTION, ex) : ex;
		}
	}

	/**
	 * The JDK's older client tells the status -1 for what is not a response, and the
	 * observation of Spring's client is the first to ask for it.
	 */
	private static boolean isWithoutStatus(RuntimeException error) {
		return error instanceof IllegalArgumentException
				&& String.valueOf(error.getMessage()).startsWith("Status code '-1'");
	}

	/**
	 * The gateway looks whether the type is one of a stream, and fails where it is none
	 * at all.
	 */
	private static boolean isTyped(ClientHttpResponse response) {
		try {
			response.getHeaders().getContentType();
			return true;
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	@Override
	protected int copyResponseBody(ClientHttpResponse response, InputStream body, OutputStream out) throws IOException {
		try {
			return isTyped(response) ? super.copyResponseBody(response, body, out) : StreamUtils.copy(body, out);
		}
		catch (IOException | RuntimeException ex) {
			ResponseBody.abort(response.getBody());
			throw ex;
		}
	}

}
