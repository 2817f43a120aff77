package io.gatewaybench.benchmark.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * What was measured in one stage.
 *
 * @param stage the name of the stage
 * @param kind what the stage is for
 * @param start when it started, by the wall clock
 * @param seconds the measured window: the stage's duration, or less if its users had sent
 * all their requests before, or it was cut short
 * @param complete whether it ran to its end; if not, it was cut short
 * @param types one per request type, in the order of the mix
 * @param series one per second
 * @param generator what the generator itself did
 */
public record StageResult(String stage, Stage.Kind kind, Instant start, double seconds, boolean complete,
		List<TypeResult> types, List<SecondSample> series, GeneratorStats generator) {

	/**
	 * All types together.
	 * @return the sum, named {@code total}
	 */
	public TypeResult total() {
		return TypeResult.merge("total", this.types);
	}

	/**
	 * Puts slices of one load together that were played one after the other.
	 * @param slices the slices in the order of time, one at least
	 * @return all of them as if they were one stage, from the first start
	 */
	public static StageResult inTurn(List<StageResult> slices) {
		StageResult first = slices.getFirst();
		List<TypeResult> types = first.types.stream()
			.map(TypeResult::type)
			.map((type) -> TypeResult.merge(type,
					slices.stream()
						.flatMap((slice) -> slice.types.stream())
						.filter((each) -> each.type().equals(type))
						.toList()))
			.toList();
		List<SecondSample> seconds = new ArrayList<>();
		slices.forEach((slice) -> slice.series.forEach((sample) -> seconds.add(sample.at(seconds.size()))));
		return new StageResult(first.stage, first.kind, first.start,
				slices.stream().mapToDouble(StageResult::seconds).sum(),
				slices.stream().allMatch(StageResult::complete), types, seconds,
				GeneratorStats.merge(slices.stream().map(StageResult::generator).toList()));
	}

	/**
	 * Right responses per second that were complete within the window.
	 * @return requests per second
	 */
	public double throughput() {
		return (this.seconds > 0) ? this.types.stream().mapToLong(TypeResult::okInWindow).sum() / this.seconds : 0;
	}

	/**
	 * This result, if the stage ran to its end.
	 * @return this
	 * @throws InterruptedException if it was cut short because the thread was interrupted
	 * @throws BenchFailure if it was cut short for another reason
	 */
	public StageResult whole() throws InterruptedException {
		if (this.complete) {
			return this;
		}
		// The engine sets the status again when it hands over what it has
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		throw new BenchFailure("the load generator ended early in stage '%s'".formatted(this.stage));
	}

	/**
	 * Whether every request of every type is accounted for.
	 * @return whether it is
	 */
	public boolean balanced() {
		return this.types.stream().allMatch((type) -> type.counts().balanced());
	}

}
