package io.gatewaybench.benchmark.faults;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.result.FaultResult;

/**
 * What must hold when something goes wrong.
 */
enum Requirement {

	/**
	 * Every request has a successful response, also while no instance is ejected and none
	 * is asked again.
	 */
	UNDISTURBED,

	/**
	 * Every request has a successful response.
	 */
	KEPT,

	/**
	 * A request that can't be kept is answered with 502, 503 or 504.
	 */
	TOLD,

	/**
	 * A request that can't be kept is answered with 502, 503 or 504, or waits for longer
	 * than its client does.
	 */
	LATE;

	// Retries have a budget of a fifth of the requests
	private static final double MOST_ATTEMPTS = 1.5;

	/**
	 * Compares what was seen with what must hold.
	 * @param seen what was seen
	 * @return what does not hold, in sentences
	 */
	List<String> broken(FaultResult seen) {
		List<String> broken = new ArrayList<>();
		long lost = seen.total().failed() - allowed(seen);
		if (lost > 0) {
			broken.add(lost + ((this == KEPT || this == UNDISTURBED) ? " requests had no successful response."
					: " requests failed, and the gateway did not answer them with 502, 503 or 504."));
		}
		if (this == UNDISTURBED && seen.ejections() > 0) {
			broken.add(seen.ejections() + " ejections, though no instance failed.");
		}
		if (this == UNDISTURBED && seen.retries() > 0) {
			broken.add(seen.retries() + " retries, though no instance failed.");
		}
		if (seen.extraClients().failed() > 0) {
			broken.add(seen.extraClients().failed() + " of " + seen.extraClients().visits()
					+ " clients beside the load were not answered as they must: " + seen.extraClients().failure()
					+ ".");
		}
		// A client beside the load may send any number of requests
		if (seen.extraClients().visits() == 0 && seen.attempts() > MOST_ATTEMPTS * seen.total().intended()) {
			broken.add(seen.attempts() + " attempts for " + seen.total().intended() + " requests.");
		}
		if (seen.connectionsLeft() > 0) {
			broken.add(seen.connectionsLeft() + " connections to the instances were left open.");
		}
		return broken;
	}

	private long allowed(FaultResult seen) {
		Counts counts = seen.total();
		return switch (this) {
			case UNDISTURBED, KEPT -> 0;
			case TOLD -> told(seen);
			case LATE -> told(seen) + counts.timeout() + counts.aborted();
		};
	}

	private static long told(FaultResult seen) {
		return seen.statuses()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey() >= 502 && entry.getKey() <= 504)
			.mapToLong((entry) -> entry.getValue())
			.sum();
	}

}
