package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Who sends what.
 *
 * @param model open or closed
 * @param mix the request types, of which each request takes one by weight
 * @param connections the keep-alive connections: in the closed model the number of users,
 * in the open model the most requests in flight (others wait, with their clock running)
 * @param thinkTime the pause of a user between answer and next request; zero in the open
 * model
 */
public record Workload(Model model, List<RequestType> mix, int connections, Duration thinkTime) {

	/**
	 * Checks and copies the values.
	 * @throws InvalidValueException if there is no type, a name occurs twice, there is no
	 * connection, or the think time is negative or in the open model
	 */
	public Workload {
		mix = List.copyOf(mix);
		InvalidValueException.unless(!mix.isEmpty(), "workload.mix", mix, "name one request type at least");
		List<String> names = mix.stream().map(RequestType::name).toList();
		InvalidValueException.unless(names.size() == Set.copyOf(names).size(), "workload.mix", String.join(", ", names),
				"give each its own name");
		InvalidValueException.unless(connections >= 1 && connections <= 60_000, "workload.connections", connections,
				"choose 1 to 60000");
		InvalidValueException.unless(thinkTime.isZero() || (thinkTime.isPositive() && model == Model.CLOSED),
				"workload.thinkTime", thinkTime, "choose 0 or more, and 0 in the open model");
	}

}
