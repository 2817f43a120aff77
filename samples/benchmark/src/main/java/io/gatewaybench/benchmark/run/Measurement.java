package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.result.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What is known at the edges of a measurement.
 */
final class Measurement {

	private final Observer observer;

	private final long generator;

	private final Observer.ResourceSnapshot from;

	private Observer.@Nullable ResourceSnapshot to;

	/**
	 * Takes the first look.
	 * @param observer what looks
	 * @param generator process id of the load generator
	 */
	Measurement(Observer observer, long generator) {
		this.observer = observer;
		this.generator = generator;
		this.from = observer.take(generator);
	}

	/**
	 * Takes the second look.
	 */
	void end() {
		this.to = this.observer.take(this.generator);
	}

	Resources resources() {
		if (this.to == null) {
			end();
		}
		return (this.to != null) ? this.to.since(this.from) : Resources.UNKNOWN;
	}

}
