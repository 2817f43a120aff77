package io.gatewaybench.metrics;

/**
 * Passes every call on to several metrics.
 */
final class CompositeMetrics implements GatewayMetrics {

	private final GatewayMetrics[] all;

	CompositeMetrics(GatewayMetrics[] all) {
		this.all = all;
	}

	@Override
	public void request(String route, int status, boolean completed, long durationNanos) {
		for (GatewayMetrics metrics : this.all) {
			metrics.request(route, status, completed, durationNanos);
		}
	}

	@Override
	public void upstream(String upstream, String instance, int status) {
		for (GatewayMetrics metrics : this.all) {
			metrics.upstream(upstream, instance, status);
		}
	}

	@Override
	public void upstream(String upstream, String instance, UpstreamEvent event) {
		for (GatewayMetrics metrics : this.all) {
			metrics.upstream(upstream, instance, event);
		}
	}

	@Override
	public void rewrite(String outcome) {
		for (GatewayMetrics metrics : this.all) {
			metrics.rewrite(outcome);
		}
	}

	@Override
	public void close() {
		for (GatewayMetrics metrics : this.all) {
			metrics.close();
		}
	}

}
