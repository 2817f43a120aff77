package io.gatewaybench.benchmark.engine;

import java.net.InetSocketAddress;

import io.gatewaybench.benchmark.plan.LoadPlan;

/**
 * The embedded engine: one event loop that sends on time, checks every response and
 * accounts for every request, in the calling process.
 */
public final class NettyLoadEngine implements LoadEngine {

	private final Transport transport;

	/**
	 * Creates an engine on the best transport of this machine.
	 */
	public NettyLoadEngine() {
		this(Transport.best());
	}

	NettyLoadEngine(Transport transport) {
		this.transport = transport;
	}

	@Override
	public LoadSession open(LoadPlan plan) {
		InetSocketAddress target = new InetSocketAddress(plan.target().getHost(), plan.port());
		if (target.isUnresolved()) {
			throw new LoadEngineException(
					"the host of target '%s' has no address; check its name and the resolver".formatted(plan.target()),
					null);
		}
		return new NettyLoadSession(plan, target, this.transport);
	}

}
