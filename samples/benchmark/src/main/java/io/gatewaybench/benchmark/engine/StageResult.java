package io.gatewaybench.benchmark.engine;

import java.time.Instant;
import java.util.List;

import io.gatewaybench.benchmark.plan.Stage;

/**
 * What was measured in one stage.
 *
 * @param stage the name of the stage
 * @param kind what the stage is for
 * @param start when it started, by the wall clock
 * @param seconds the measured window: the stage's duration, or less if the run was
 * cancelled
 * @param types one per request type, in the order of the mix; none for
 * {@link Stage.Kind#IDLE}
 * @param series one per second
 * @param generator what the generator itself did
 */
public record StageResult(String stage, Stage.Kind kind, Instant start, double seconds, List<TypeResult> types,
		List<SecondSample> series, GeneratorStats generator) {

	/**
	 * Copies the values.
	 */
	public StageResult {
		types = List.copyOf(types);
		series = List.copyOf(series);
	}

	/**
	 * All types together.
	 * @return the sum, named {@code total}
	 */
	public TypeResult total() {
		return TypeResult.merge("total", this.types);
	}

	/**
	 * Right responses per second that were complete within the window.
	 * @return requests per second
	 */
	public double throughput() {
		return (this.seconds > 0) ? this.types.stream().mapToLong(TypeResult::okInWindow).sum() / this.seconds : 0;
	}

	/**
	 * Whether every request of every type is accounted for.
	 * @return whether it is
	 */
	public boolean balanced() {
		return this.types.stream().allMatch((type) -> type.counts().balanced());
	}

}
