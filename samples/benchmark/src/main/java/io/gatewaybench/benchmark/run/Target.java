package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What load is sent to.
 *
 * @param name what messages call it
 * @param address {@code http://host:port}
 * @param log what it writes
 * @param gateway the gateway, {@code null} if load goes to a backend directly
 */
record Target(String name, URI address, Path log, @Nullable Gateway gateway) implements AutoCloseable {

	static Target of(Gateway gateway) {
		return new Target(gateway.child().name(), gateway.address(), gateway.child().log(), gateway);
	}

	static Target direct(Backends backends) {
		return new Target(backends.child().name(), backends.upstreams().values().iterator().next().getFirst(),
				backends.child().log(), null);
	}

	@Override
	public void close() {
		if (this.gateway != null) {
			this.gateway.close();
		}
	}

}
