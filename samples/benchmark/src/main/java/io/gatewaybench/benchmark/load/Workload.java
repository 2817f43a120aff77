package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

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
		if (mix.isEmpty()) {
			throw new InvalidValueException("workload.mix", mix, "name one request type at least");
		}
		if (mix.stream().map(RequestType::name).distinct().count() < mix.size()) {
			throw new InvalidValueException("workload.mix",
					mix.stream().map(RequestType::name).collect(Collectors.joining(", ")), "give each its own name");
		}
		if (connections < 1 || connections > 60_000) {
			throw new InvalidValueException("workload.connections", connections, "choose 1 to 60000");
		}
		if (thinkTime.isNegative() || (model == Model.OPEN && !thinkTime.isZero())) {
			throw new InvalidValueException("workload.thinkTime", thinkTime,
					"choose 0 or more, and 0 in the open model");
		}
	}

}
