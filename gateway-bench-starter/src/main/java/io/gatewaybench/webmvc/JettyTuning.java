package io.gatewaybench.webmvc;

import java.util.concurrent.CancellationException;

import io.gatewaybench.internal.upstream.ConnectionSettings;
import org.eclipse.jetty.client.AbstractConnectionPool;
import org.eclipse.jetty.client.ConnectionPool;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.util.component.LifeCycle;

import org.springframework.boot.http.client.JettyClientHttpRequestFactoryBuilder;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Jetty's client for a gateway. It has no limit for all instances together, and its idle
 * time would end requests that the upstream is slow to answer.
 */
final class JettyTuning {

	private JettyTuning() {
	}

	static JettyClientHttpRequestFactoryBuilder tune(JettyClientHttpRequestFactoryBuilder builder,
			ConnectionSettings connections, boolean virtualThreads) {
		return builder.withHttpClientCustomizer((client) -> {
			client.setMaxConnectionsPerDestination(connections.maxPerInstance());
			limitAge(client.getHttpClientTransport(), connections);
			client.setHttpCookieStore(new HttpCookieStore.Empty());
			client.setUserAgentField(null);
			client.addEventListener(new PassOn(client));
			client.getRequestListeners().addQueuedListener(JettyTuning::cancelOnTimeout);
			if (virtualThreads) {
				client.setExecutor(new VirtualThreadTaskExecutor("gateway-bench-"));
			}
		});
	}

	private static void limitAge(HttpClientTransport transport, ConnectionSettings connections) {
		ConnectionPool.Factory pools = transport.getConnectionPoolFactory();
		transport.setConnectionPoolFactory((destination) -> {
			ConnectionPool pool = pools.newConnectionPool(destination);
			if (pool instanceof AbstractConnectionPool limited) {
				limited.setMaxDuration(connections.maxAge().toMillis());
			}
			return pool;
		});
	}

	/**
	 * A body that its client does not send to the end would be ended as if it were whole.
	 */
	private static void cancelOnTimeout(Request request) {
		Attempt.cancelOnTimeout(() -> request.abort(new CancellationException("The request is cancelled")));
	}

	/**
	 * The client fills these in when it starts.
	 */
	private record PassOn(HttpClient client) implements LifeCycle.Listener {

		@Override
		public void lifeCycleStarted(LifeCycle event) {
			this.client.getContentDecoderFactories().clear();
		}

	}

}
