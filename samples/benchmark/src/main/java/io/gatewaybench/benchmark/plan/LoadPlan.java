package io.gatewaybench.benchmark.plan;

import java.net.URI;
import java.util.List;

/**
 * The whole load of one measurement; the same plan and seed give the same sequence of
 * request types, paths and intended starts.
 *
 * @param id the name of the plan, also of its directory: letters, digits, {@code . _ -}
 * @param target {@code http://host:port}, without a path
 * @param workload who sends what
 * @param stages what happens one after the other
 * @param timeouts how long the generator waits
 * @param seed the seed of every random choice
 */
public record LoadPlan(String id, URI target, Workload workload, List<Stage> stages, Timeouts timeouts, long seed) {

	/**
	 * Checks and copies the values.
	 * @throws IllegalArgumentException if the id is no file name, the target is not an
	 * HTTP origin, there is no stage, or an open stage with load has no rate
	 */
	public LoadPlan {
		stages = List.copyOf(stages);
		if (!id.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
			throw new IllegalArgumentException("plan id is '%s'; use letters, digits, '.', '_' and '-'".formatted(id));
		}
		if (!"http".equals(target.getScheme()) || target.getHost() == null
				|| !(target.getRawPath().isEmpty() || target.getRawPath().equals("/")) || target.getRawQuery() != null
				|| target.getRawUserInfo() != null) {
			throw new IllegalArgumentException(
					"plan target is '%s'; write http://host:port, paths belong to the request types".formatted(target));
		}
		if (stages.isEmpty()) {
			throw new IllegalArgumentException("plan '%s' has no stages; name one at least".formatted(id));
		}
		for (Stage stage : stages) {
			if (stage.connections() > workload.connections()) {
				throw new IllegalArgumentException(
						"stage '%s' has connections %d; choose at most the %d of the workload".formatted(stage.name(),
								stage.connections(), workload.connections()));
			}
			if (stage.kind() != Stage.Kind.IDLE && (workload.model() == Model.OPEN) != (stage.rate() > 0)) {
				throw new IllegalArgumentException(
						"stage '%s' has rate %s; choose more than 0 in the open model and 0 in the closed model"
							.formatted(stage.name(), stage.rate()));
			}
		}
	}

	/**
	 * The port of the target.
	 * @return the port, 80 if the target names none
	 */
	public int port() {
		return (this.target.getPort() >= 0) ? this.target.getPort() : 80;
	}

}
