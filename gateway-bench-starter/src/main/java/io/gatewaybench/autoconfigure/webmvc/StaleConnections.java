package io.gatewaybench.autoconfigure.webmvc;

import java.io.IOException;
import java.net.SocketException;

import io.gatewaybench.upstream.UpstreamCall;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;

/**
 * Sends a request again, on a new connection, if it met a pooled connection that the
 * upstream had closed. Apache's client learns of that only as it reads; an upstream that
 * restarts would cost a request for each connection in the pool, and be ejected for it.
 * As with nginx and the JDK's client, this is no retry: it neither counts as an attempt
 * nor against the instance. It ends because it is done once, and on a connection that has
 * not been used.
 */
final class StaleConnections implements ExecChainHandler {

	@Override
	public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
			throws IOException, HttpException {
		try {
			return chain.proceed(request, scope);
		}
		catch (NoHttpResponseException | SocketException ex) {
			if (!isRepeatable(request) || !isReused(scope) || scope.execRuntime.isExecutionAborted()) {
				throw ex;
			}
			connectAnew(scope);
			return chain.proceed(request, scope);
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

	/**
	 * The next one in the pool may be closed as well.
	 */
	private static void connectAnew(ExecChain.Scope scope) throws IOException {
		ExecRuntime runtime = scope.execRuntime;
		runtime.acquireEndpoint(scope.exchangeId, scope.route, null, scope.clientContext);
		if (runtime.isEndpointConnected()) {
			runtime.disconnectEndpoint();
		}
	}

}
