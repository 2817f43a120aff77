package io.gatewaybench.webmvc;

import java.io.IOException;
import java.net.SocketException;

import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;

/**
 * Tells whether a request met a pooled connection that the upstream had closed. Apache's
 * client learns of that only as it reads. An upstream that restarts would cost a request
 * for each connection in the pool, and be ejected for it. The starter sends the request
 * again, as the client would, but by its rules and counted, and on a new connection: the
 * next one in the pool may be closed as well.
 */
final class StaleConnections implements ExecChainHandler {

	@Override
	public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
			throws IOException, HttpException {
		Attempt attempt = Attempt.ofThread();
		if (attempt != null && attempt.isAnew()) {
			connectAnew(scope);
		}
		try {
			return chain.proceed(request, scope);
		}
		catch (NoHttpResponseException | SocketException ex) {
			if (!isRepeatable(request) || !isReused(scope) || scope.execRuntime.isExecutionAborted()) {
				throw ex;
			}
			throw new UpstreamException(UpstreamFailure.CONNECTION_CLOSED, ex);
		}
	}

	private static boolean isRepeatable(ClassicHttpRequest request) {
		return request.getEntity() == null && UpstreamCall.isIdempotent(request.getMethod());
	}

	/**
	 * There has been a response on this connection, and it was not the one to this
	 * request: that would have ended the execution.
	 */
	private static boolean isReused(ExecChain.Scope scope) {
		EndpointDetails connection = scope.clientContext.getEndpointDetails();
		return connection != null && connection.getResponseCount() > 0;
	}

	private static void connectAnew(ExecChain.Scope scope) throws IOException {
		ExecRuntime runtime = scope.execRuntime;
		runtime.acquireEndpoint(scope.exchangeId, scope.route, null, scope.clientContext);
		if (runtime.isEndpointConnected()) {
			runtime.disconnectEndpoint();
		}
	}

}
