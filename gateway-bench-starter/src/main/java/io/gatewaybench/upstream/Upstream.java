package io.gatewaybench.upstream;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service behind the gateway and the instances that share its load. Safe for use by
 * many threads; choosing an instance neither locks nor allocates.
 *
 * @since 0.1.0
 */
public interface Upstream {

	/**
	 * Name under which routes refer to it.
	 * @return the name, as in {@code rr://name}
	 */
	String name();

	/**
	 * Choose the instance for one request.
	 * @return the instance
	 */
	Instance next();

	/**
	 * Spread requests evenly: of any run of requests, each instance gets a share that is
	 * equal to within one.
	 * @param name name of the upstream
	 * @param instances its instances, at least one
	 * @return the upstream
	 */
	static Upstream roundRobin(String name, List<Instance> instances) {
		return new RoundRobinUpstream(name, instances, new AtomicLong());
	}

	/**
	 * Send every request to one instance.
	 * @param name name of the upstream
	 * @param instance the instance
	 * @return the upstream
	 */
	static Upstream single(String name, Instance instance) {
		return new SingleInstanceUpstream(name, instance);
	}

}
