package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.observe.JvmProbe;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.topology.Child;
import io.gatewaybench.benchmark.topology.Running;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everybody who takes part in a session.
 *
 * @param gateway the gateway
 * @param jvm what looks into the gateway's JVM, {@code null} if there is none
 * @param backends the backends
 */
record Observer(Running gateway, @Nullable JvmProbe jvm, Backends backends) implements AutoCloseable {

	static Observer of(Running gateway, Backends backends) {
		Child child = gateway.child();
		Long pid = (child != null && gateway.remote() == null) ? (Long) child.pid() : null;
		// What is no JVM may end from the signal that attaching sends
		JvmProbe jvm = (pid != null && gateway.jvm()) ? JvmProbe.attach(pid) : null;
		return new Observer(gateway, jvm, backends);
	}

	/**
	 * Looks at everybody.
	 * @param generator process id of the load generator
	 */
	ResourceSnapshot take(long generator) {
		return new ResourceSnapshot(this.gateway.look(), ProcessSnapshot.take(generator), this.backends.look(),
				ProcessSnapshot.take(ProcessHandle.current().pid()), takeJvm(),
				ProcessSnapshot.familySeconds(ProcessHandle.current().pid()), MachineSnapshot.take());
	}

	private @Nullable JvmUse takeJvm() {
		if (this.jvm != null) {
			return this.jvm.take();
		}
		return (this.gateway.actuator() != null) ? this.gateway.actuator().lookAtJvm() : null;
	}

	/**
	 * The flags of the gateway's JVM, those that it chose included.
	 * @return {@code null} if they are not known
	 */
	@Nullable String flags() {
		return (this.jvm != null) ? this.jvm.flags() : null;
	}

	/**
	 * Collects garbage, and looks at what is left.
	 * @return the heap in use in bytes, {@code null} if that is not known
	 */
	@Nullable Long liveHeapBytes() {
		if (this.jvm == null) {
			return null;
		}
		this.jvm.collectGarbage();
		JvmUse left = this.jvm.take();
		return (left != null) ? (Long) left.heapUsedBytes() : null;
	}

	@Override
	public void close() {
		if (this.jvm != null) {
			this.jvm.close();
		}
	}

	/**
	 * What everybody has used until now.
	 */
	record ResourceSnapshot(@Nullable ProcessSnapshot gateway, @Nullable ProcessSnapshot generator,
			@Nullable ProcessSnapshot backends, @Nullable ProcessSnapshot runner, @Nullable JvmUse jvm, double family,
			@Nullable MachineSnapshot machine) {

		Resources since(ResourceSnapshot earlier) {
			double own = this.family - earlier.family;
			return new Resources(use(this.gateway, earlier.gateway), use(this.generator, earlier.generator),
					use(this.backends, earlier.backends), use(this.runner, earlier.runner),
					(this.jvm != null && earlier.jvm != null) ? this.jvm.since(earlier.jvm) : null,
					(this.machine != null && earlier.machine != null) ? this.machine.since(earlier.machine, own)
							: null);
		}

		private static @Nullable ProcessUse use(@Nullable ProcessSnapshot now, @Nullable ProcessSnapshot before) {
			return (now != null && before != null) ? now.since(before) : null;
		}

	}

}
