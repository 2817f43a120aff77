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
		return new Rotation(count("ejections"), count("recoveries"));
	}

	Rotation rotation(Instance instance) throws IOException, InterruptedException {
		String query = "?tag=instance:" + instance.authority();
		return new Rotation(count("ejections" + query), count("recoveries" + query));
	}

	/**
	 * Requests that were sent once more, to whatever instance.
	 */
	long retries() throws IOException, InterruptedException {
		return count("retries");
	}

	/**
	 * How often an instance was sent a request.
	 */
	long attempts() throws IOException, InterruptedException {
		return count("requests");
	}

	// A meter is there when it has counted something
	private long count(String meter) throws IOException, InterruptedException {
		return (long) this.actuator.figure("gateway.bench.upstream." + meter, "COUNT").orElse(0);
	}

}
