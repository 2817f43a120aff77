package io.gatewaybench.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Passes every call on to several metrics. One that throws breaks neither the request
 * that it was to count nor the other metrics; it is logged once for each of its methods.
 */
final class CompositeMetrics implements GatewayMetrics {

	private static final Log logger = LogFactory.getLog(CompositeMetrics.class);

	static final GatewayMetrics NONE = new CompositeMetrics(new GatewayMetrics[0]);

	private final GatewayMetrics[] all;

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	CompositeMetrics(GatewayMetrics[] all) {
		this.all = all;
	}

	@Override
	public void request(String route, int status, boolean completed, long durationNanos) {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.request(route, status, completed, durationNanos);
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "request", ex);
			}
		}
	}

	@Override
	public void upstream(String upstream, String instance, int status) {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.upstream(upstream, instance, status);
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "upstream", ex);
			}
		}
	}

	@Override
	public void upstream(String upstream, String instance, UpstreamEvent event) {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.upstream(upstream, instance, event);
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "upstream", ex);
			}
		}
	}

	@Override
	public void webSocket(String upstream, int code) {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.webSocket(upstream, code);
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "webSocket", ex);
			}
		}
	}

	@Override
	public void rewrite(String outcome) {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.rewrite(outcome);
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "rewrite", ex);
			}
		}
	}

	/**
	 * All count the same bodies, so the first that knows is enough.
	 */
	@Override
	public Map<String, Long> rewrites() {
		for (GatewayMetrics metrics : this.all) {
			try {
				Map<String, Long> rewrites = metrics.rewrites();
				if (!rewrites.isEmpty()) {
					return rewrites;
				}
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "rewrites", ex);
			}
		}
		return Map.of();
	}

	@Override
	public void close() {
		for (GatewayMetrics metrics : this.all) {
			try {
				metrics.close();
			}
			catch (Exception | LinkageError ex) {
				failed(metrics, "close", ex);
			}
		}
	}

	private void failed(GatewayMetrics metrics, String method, Throwable error) {
		String name = metrics.getClass().getName() + "." + method;
		if (this.logged.add(name)) {
			logger.warn("Metrics failed in " + name
					+ "(). The requests go on and this call is not counted, nor are further ones that fail,"
					+ " which are not logged", error);
		}
	}

}
