package io.gatewaybench.autoconfigure;

import java.util.function.Function;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.HealthCheckSettings;
import io.gatewaybench.upstream.HealthChecks;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Checks instances for as long as the gateway takes requests, and once before it does.
 */
final class HealthCheckLifecycle implements SmartLifecycle {

	private final Upstreams upstreams;

	private final HealthCheckSettings settings;

	private final GatewayMetrics metrics;

	private final Function<String, SSLContext> bundles;

	private final Supplier<@Nullable SSLContext> ofClient;

	private volatile @Nullable HealthChecks running;

	HealthCheckLifecycle(Upstreams upstreams, HealthCheckSettings settings, GatewayMetrics metrics,
			Function<String, SSLContext> bundles, Supplier<@Nullable SSLContext> ofClient) {
		this.upstreams = upstreams;
		this.settings = settings;
		this.metrics = metrics;
		this.bundles = bundles;
		this.ofClient = ofClient;
	}

	@Override
	public void start() {
		if (!this.settings.paths().isEmpty()) {
			SSLContext usual = this.ofClient.get();
			this.running = HealthChecks.start(this.upstreams, this.settings, this.metrics,
					(bundle) -> (bundle != null) ? this.bundles.apply(bundle) : usual);
		}
	}

	@Override
	public void stop() {
		HealthChecks stopping = this.running;
		this.running = null;
		if (stopping != null) {
			stopping.close();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

	/**
	 * Started before the web server, and stopped after it.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
	}

}
