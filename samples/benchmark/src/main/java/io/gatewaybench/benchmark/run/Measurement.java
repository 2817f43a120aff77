package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.result.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What is known at the edges of a measurement.
 */
final class Measurement {

	private final Observer observer;

	private final Backends backends;

	private final long generator;

	private final Observer.Look from;

	private final BackendStats backendsFrom;

	private Observer.@Nullable Look to;

	private BackendStats backendsTo = BackendStats.NONE;

	/**
	 * Takes the first look.
	 * @param observer what looks
	 * @param backends the backends
	 * @param generator process id of the load generator
	 */
	Measurement(Observer observer, Backends backends, long generator) {
		this.observer = observer;
		this.backends = backends;
		this.generator = generator;
		this.from = observer.look(generator);
		this.backendsFrom = stats();
	}

	/**
	 * Takes the second look.
	 */
	void end() {
		this.to = this.observer.look(this.generator);
		this.backendsTo = stats();
	}

	Resources resources() {
		if (this.to == null) {
			end();
		}
		return (this.to != null) ? this.to.since(this.from) : Resources.UNKNOWN;
	}

	BackendStats backendStats() {
		return this.backendsTo.since(this.backendsFrom);
	}

	private BackendStats stats() {
		try {
			return this.backends.stats();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return BackendStats.NONE;
		}
	}

}
