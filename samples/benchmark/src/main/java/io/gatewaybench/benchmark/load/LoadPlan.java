package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.util.List;

/**
 * What all stages of a load have in common. The same stage gets the same sequence of
 * request types, paths and intended starts in every session with the same workload and
 * seed.
 *
 * @param id the name of the load, also of its directory: letters, digits, {@code . _ -}
 * @param target {@code http://host:port}, without a path
 * @param workload who sends what
 * @param timeouts how long the generator waits
 * @param seed the seed of every random choice
 */
public record LoadPlan(String id, URI target, Workload workload, Timeouts timeouts, long seed) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the id is no file name, the target is not an
	 * HTTP origin
	 */
	public LoadPlan {
		if (!id.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
			throw new IllegalArgumentException("plan id is '%s'; use letters, digits, '.', '_' and '-'".formatted(id));
		}
		if (!"http".equals(target.getScheme()) || target.getHost() == null
				|| !(target.getRawPath().isEmpty() || target.getRawPath().equals("/")) || target.getRawQuery() != null
				|| target.getRawUserInfo() != null) {
			throw new IllegalArgumentException(
					"plan target is '%s'; write http://host:port, paths belong to the request types".formatted(target));
		}
	}

	/**
	 * Checks that a stage fits the workload.
	 * @param stage what is to be sent
	 * @throws IllegalArgumentException if the stage has more connections than the
	 * workload
	 */
	public void check(Stage stage) {
		if (stage.connections() > this.workload.connections()) {
			throw new IllegalArgumentException("stage '%s' has connections %d; choose at most the %d of the workload"
				.formatted(stage.name(), stage.connections(), this.workload.connections()));
		}
	}

	/**
	 * What a stage sends.
	 * @param stage the stage
	 * @return its own request types, or those of the workload
	 */
	public List<RequestType> mix(Stage stage) {
		return stage.mix().isEmpty() ? this.workload.mix() : stage.mix();
	}

	/**
	 * The connections of the whole load, on all hosts.
	 * @param stage the stage
	 * @return how many of the workload's connections it uses
	 */
	public int total(Stage stage) {
		return (stage.connections() > 0) ? stage.connections() : this.workload.connections();
	}

	/**
	 * The port of the target.
	 * @return the port, 80 if the target names none
	 */
	public int port() {
		return (this.target.getPort() >= 0) ? this.target.getPort() : 80;
	}

}
