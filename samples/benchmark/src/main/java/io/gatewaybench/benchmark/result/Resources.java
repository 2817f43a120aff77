package io.gatewaybench.benchmark.result;

import java.util.function.BinaryOperator;

import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import org.jspecify.annotations.Nullable;

/**
 * What a measurement took, of everybody; each is {@code null} where the platform does not
 * tell it.
 *
 * @param gateway the gateway's process, {@code null} also for the direct control
 * @param generator the load generator's process
 * @param backends the backends' process
 * @param runner this program
 * @param jvm what the gateway's JVM told
 * @param machine the machine
 */
public record Resources(@Nullable ProcessUse gateway, @Nullable ProcessUse generator, @Nullable ProcessUse backends,
		@Nullable ProcessUse runner, @Nullable JvmUse jvm, @Nullable MachineUse machine) {

	/**
	 * Both together, where this came first.
	 * @param next what came later
	 * @return the sum
	 */
	public Resources then(Resources next) {
		return new Resources(both(this.gateway, next.gateway, ProcessUse::then),
				both(this.generator, next.generator, ProcessUse::then),
				both(this.backends, next.backends, ProcessUse::then), both(this.runner, next.runner, ProcessUse::then),
				both(this.jvm, next.jvm, JvmUse::then), both(this.machine, next.machine, MachineUse::then));
	}

	private static <T> @Nullable T both(@Nullable T first, @Nullable T next, BinaryOperator<T> sum) {
		return (first == null || next == null) ? null : sum.apply(first, next);
	}

}
