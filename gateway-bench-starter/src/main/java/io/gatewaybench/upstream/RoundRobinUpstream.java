package io.gatewaybench.upstream;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.util.Assert;

/**
 * One instance after the other.
 */
final class RoundRobinUpstream implements Upstream {

	private final String name;

	private final Instance[] instances;

	private final AtomicLong turn;

	RoundRobinUpstream(String name, List<Instance> instances, AtomicLong turn) {
		Assert.notEmpty(instances, () -> "Upstream '%s' must have at least one instance".formatted(name));
		this.name = name;
		this.instances = instances.toArray(Instance[]::new);
		this.turn = turn;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Instance next() {
		// Unsigned, so that the order goes on unbroken where the sign changes; to zero it
		// wraps after centuries at a billion requests per second
		return this.instances[(int) Long.remainderUnsigned(this.turn.getAndIncrement(), this.instances.length)];
	}

	@Override
	public String toString() {
		return "rr://" + this.name;
	}

}
