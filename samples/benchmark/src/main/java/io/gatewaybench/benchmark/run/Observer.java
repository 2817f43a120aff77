package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.observe.FamilySnapshot;
import io.gatewaybench.benchmark.observe.JvmProbe;
import io.gatewaybench.benchmark.observe.JvmSnapshot;
import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.result.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everybody who takes part in a session.
 *
 * @param gateway process id of the gateway, {@code null} if there is none
 * @param jvm what looks into the gateway's JVM, {@code null} if there is none
 * @param backends process id of the backends
 */
record Observer(@Nullable Long gateway, @Nullable JvmProbe jvm, long backends) implements AutoCloseable {

	static Observer of(Target target, Backends backends) {
		Gateway gateway = target.gateway();
		Long pid = (gateway != null) ? Long.valueOf(gateway.child().pid()) : null;
		return new Observer(pid, (pid != null) ? JvmProbe.attach(pid) : null, backends.child().pid());
	}

	ResourceSnapshot take(long generator) {
		return new ResourceSnapshot((this.gateway != null) ? ProcessSnapshot.take(this.gateway) : null,
				ProcessSnapshot.take(generator), ProcessSnapshot.take(this.backends),
				ProcessSnapshot.take(ProcessHandle.current().pid()), (this.jvm != null) ? this.jvm.take() : null,
				FamilySnapshot.take(), MachineSnapshot.take());
	}

	/**
	 * Adds what only the gateway's JVM knows.
	 */
	Target describe(Target target) {
		Gateway running = target.gateway();
		return (running != null && this.jvm != null) ? Target.of(running.withFlags(this.jvm.flags())) : target;
	}

	/**
	 * Lets every measurement begin with a clean heap.
	 */
	void collectGarbage() {
		if (this.jvm != null) {
			this.jvm.collectGarbage();
		}
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
			@Nullable ProcessSnapshot backends, @Nullable ProcessSnapshot runner, @Nullable JvmSnapshot jvm,
			FamilySnapshot family, @Nullable MachineSnapshot machine) {

		Resources since(ResourceSnapshot earlier) {
			ProcessUse gatewayUse = use(this.gateway, earlier.gateway);
			ProcessUse generatorUse = use(this.generator, earlier.generator);
			ProcessUse backendsUse = use(this.backends, earlier.backends);
			ProcessUse runnerUse = use(this.runner, earlier.runner);
			double own = this.family.secondsSince(earlier.family);
			return new Resources(gatewayUse, generatorUse, backendsUse, runnerUse,
					(this.jvm != null && earlier.jvm != null) ? this.jvm.since(earlier.jvm) : null,
					(this.machine != null && earlier.machine != null) ? this.machine.since(earlier.machine, own)
							: null);
		}

		private static @Nullable ProcessUse use(@Nullable ProcessSnapshot now, @Nullable ProcessSnapshot before) {
			return (now != null && before != null) ? now.since(before) : null;
		}

	}

}
