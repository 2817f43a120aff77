package io.gatewaybench.metrics;

/**
 * Counts nothing.
 */
final class DisabledMetrics implements GatewayMetrics {

	static final GatewayMetrics INSTANCE = new DisabledMetrics();

	private DisabledMetrics() {
	}

	@Override
	public void request(String route, int status, boolean completed, long durationNanos) {
	}

	@Override
	public void upstream(String upstream, String instance, int status) {
	}

	@Override
	public void upstream(String upstream, String instance, UpstreamEvent event) {
	}

	@Override
	public void rewrite(String outcome) {
	}

	@Override
	public void close() {
	}

}
