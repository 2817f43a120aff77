package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.GatewayFilters;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the requests that a server leaves open when it stops, before what counts them
 * closes. A server that stops gracefully takes no requests any more when those that are
 * open have had their time. It would then wait for their threads, and nothing would end
 * them.
 */
final class OpenRequestsLifecycle implements SmartLifecycle {

	private final GatewayFilters filters;

	private final boolean graceful;

	private volatile boolean running;

	OpenRequestsLifecycle(GatewayFilters filters, boolean graceful) {
		this.filters = filters;
		this.graceful = graceful;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.filters.endOpenRequests();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Nor does the server pause.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/**
	 * After the server has had its time, or has stopped at once.
	 */
	@Override
	public int getPhase() {
		return (this.graceful ? WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE
				: WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE) - 1;
	}

}
