package io.gatewaybench.benchmark.faults;

import java.io.IOException;

import io.gatewaybench.benchmark.observe.Actuator;

/**
 * What a gateway counts.
 *
 * @param actuator its actuator
 */
record Meters(Actuator actuator) {

	/**
	 * What was counted about all instances.
	 */
	Rotation rotation() throws IOException, InterruptedException {
		return rotation("");
	}

	Rotation rotation(Instance instance) throws IOException, InterruptedException {
		return rotation("?tag=instance:" + instance.authority());
	}

	private Rotation rotation(String query) throws IOException, InterruptedException {
		long ejections = count("ejections" + query);
		long recoveries = count("recoveries" + query);
		return new Rotation(System.nanoTime(), ejections, recoveries);
	}

	/**
	 * How often something happened.
	 * @param meter {@code retries}: requests that were sent once more, to whatever
	 * instance; {@code requests}: how often an instance was sent a request
	 */
	long count(String meter) throws IOException, InterruptedException {
		// A meter is there when it has counted something
		return (long) this.actuator.figure("gateway.bench.upstream." + meter, "COUNT").orElse(0);
	}

}
