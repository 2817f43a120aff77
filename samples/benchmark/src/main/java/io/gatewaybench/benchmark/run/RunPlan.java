package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.gatewaybench.benchmark.result.RunResults.Settings;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;

/**
 * Everything that a run will do, in its order: the content of {@code plan.json}.
 *
 * @param suite name of the suite
 * @param settings what the user chose
 * @param backends what the gateways stand in front of
 * @param measurements what is measured, one after the other
 */
public record RunPlan(String suite, Settings settings, Suite.Backends backends, List<Measurement> measurements) {

	/**
	 * The pause between warm-up and measurement, in which the JIT compiler of a small
	 * machine finishes its queue.
	 */
	static final Duration REST = Duration.ofSeconds(2);

	// Start until healthy, functional check and stop of a gateway on 2 cores
	private static final Duration OVERHEAD = Duration.ofSeconds(12);

	/**
	 * Copies the list.
	 */
	public RunPlan {
		measurements = List.copyOf(measurements);
	}

	/**
	 * One scenario in one block.
	 *
	 * @param block the repetition, from 1
	 * @param scenario what is measured
	 */
	public record Measurement(int block, Scenario scenario) {

		/**
		 * The name of its files.
		 * @return for example {@code webflux-c16-1}
		 */
		String id() {
			return this.scenario.id() + "-" + this.block;
		}

	}

	/**
	 * Plans blocks, each of which has every scenario once, in an order that the seed
	 * decides.
	 * @param suite the suite
	 * @param scenarios those of its scenarios that were chosen
	 * @param settings what the user chose
	 * @return the plan
	 */
	public static RunPlan of(Suite suite, List<Scenario> scenarios, Settings settings) {
		List<Measurement> measurements = new ArrayList<>();
		Random random = new Random(settings.seed());
		for (int block = 1; block <= settings.repeat(); block++) {
			List<Scenario> order = new ArrayList<>(scenarios);
			Collections.shuffle(order, random);
			for (Scenario scenario : order) {
				measurements.add(new Measurement(block, scenario));
			}
		}
		return new RunPlan(suite.name(), settings, suite.backends(), measurements);
	}

	/**
	 * How long the run will take.
	 * @return an estimate for a machine with 2 cores
	 */
	public Duration estimate() {
		return loadTime().plus(OVERHEAD).multipliedBy(this.measurements.size());
	}

	Duration loadTime() {
		Duration warmup = this.settings.warmup();
		return (warmup.isZero() ? Duration.ZERO : warmup.plus(REST)).plus(this.settings.duration());
	}

}
