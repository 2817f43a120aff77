package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * What all stages of a load have in common. The same stage gets the same sequence of
 * request types, paths and intended starts in every session with the same workload and
 * seed.
 *
 * @param id the name of the load, also of its directory: letters, digits, {@code . _ -}
 * @param target {@code http://host:port} without a path, or with another
 * {@linkplain Protocol protocol} as its scheme
 * @param workload who sends what
 * @param timeouts how long the generator waits
 * @param seed the seed of every random choice
 * @param streams how many users share a connection with HTTP/2
 */
public record LoadPlan(String id, URI target, Workload workload, Timeouts timeouts, long seed, int streams) {

	/**
	 * Checks the values.
	 * @throws InvalidValueException if the id is no file name, or the target is not an
	 * HTTP origin
	 */
	public LoadPlan {
		InvalidValueException.unless(id.matches("[A-Za-z0-9_][A-Za-z0-9._-]*"), "plan id", id,
				"use letters, digits, '.', '_' and '-'");
		// It also goes to the shell, and to files for other tools
		boolean origin = target.getHost() != null && target.getRawUserInfo() == null
				&& target.toString().matches("(https?|h2c?)://[^/?#]+/?");
		InvalidValueException.unless(origin, "target", target.toString(),
				"write http://host:port, paths belong to the request types");
	}

	/**
	 * What all stages of a load have in common, where each user has a connection.
	 * @param id the name of the load
	 * @param target where the requests go
	 * @param workload who sends what
	 * @param timeouts how long the generator waits
	 * @param seed the seed of every random choice
	 */
	public LoadPlan(String id, URI target, Workload workload, Timeouts timeouts, long seed) {
		this(id, target, workload, timeouts, seed, 1);
	}

	/**
	 * Checks that a session can send a stage.
	 * @param stage what is to be sent
	 * @param over whether the session takes no further stage
	 * @throws IllegalArgumentException if the stage has more connections than the
	 * workload
	 * @throws BenchFailure if the session is over
	 */
	public void check(Stage stage, boolean over) {
		Stage.check(stage.name(), stage.connections() <= this.workload.connections(), "connections",
				stage.connections(), "choose at most the %d of the workload".formatted(this.workload.connections()));
		if (over) {
			throw new BenchFailure("the session of plan '%s' is over and takes no further stage".formatted(this.id));
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
	 * @return the port, that of the scheme if the target names none
	 */
	public int port() {
		return (this.target.getPort() >= 0) ? this.target.getPort() : Protocol.of(this.target).tls() ? 443 : 80;
	}

}
