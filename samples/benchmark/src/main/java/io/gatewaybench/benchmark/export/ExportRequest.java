package io.gatewaybench.benchmark.export;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.suite.Load;

/**
 * A load to be exported.
 *
 * @param id the name of its files: letters, digits, {@code . _ -}
 * @param load who sends what
 * @param target {@code http://host:port}, which whoever uses the files can change
 * @param warmUp how long the same requests are sent before, zero for not at all
 * @param duration how long a measurement takes that does not end by iterations
 * @param timeouts how long a response is waited for
 * @param seed the seed of the draws, where the tool takes one
 */
public record ExportRequest(String id, Load load, URI target, Duration warmUp, Duration duration, Timeouts timeouts,
		long seed) {

	/**
	 * Checks the values, which also go to comments and to the shell.
	 * @throws IllegalArgumentException if the id is no file name or the target is no HTTP
	 * origin
	 */
	public ExportRequest {
		if (!id.matches("[A-Za-z0-9_][A-Za-z0-9._-]*")) {
			throw new IllegalArgumentException("id is '%s'; use letters, digits, '.', '_' and '-'".formatted(id));
		}
		if (!"http".equals(target.getScheme()) || target.getHost() == null
				|| !("http://" + target.getRawAuthority()).equals(target.toString())
				|| target.getRawUserInfo() != null) {
			throw new IllegalArgumentException("target is '%s'; write http://host:port".formatted(target));
		}
	}

	boolean isOpen() {
		return this.load.workload().model() == Model.OPEN;
	}

	/**
	 * How many users there are, or requests in flight at most.
	 */
	int connections() {
		return this.load.workload().connections();
	}

	Duration thinkTime() {
		return this.load.workload().thinkTime();
	}

	/**
	 * How many requests each user sends, 0 if the measurement ends by time.
	 */
	int iterations() {
		return (this.load.iterations() != null) ? this.load.iterations().perUser() : 0;
	}

	/**
	 * How long the measurement takes, with iterations at most.
	 */
	Duration length() {
		return this.load.maxDuration(this.duration);
	}

	List<RequestType> mix() {
		return this.load.workload().mix();
	}

	/**
	 * A part of a load in which the rate stays the same, or changes evenly.
	 *
	 * @param seconds how long it is
	 * @param from requests per second at its beginning
	 * @param to requests per second at its end
	 */
	record Part(double seconds, double from, double to) {
	}

	/**
	 * The rate of the open model over time: one part, or a part for each step, one after
	 * the other and again, until the time is over.
	 * @param length how long that is
	 */
	List<Part> parts(Duration length) {
		double rate = this.load.rate();
		long left = length.toMillis();
		if (this.load.steps().isEmpty()) {
			return List.of(new Part(left / 1e3, rate, rate));
		}
		List<Part> parts = new ArrayList<>();
		for (int index = 0; left > 0; index++) {
			Step step = this.load.steps().get(index % this.load.steps().size());
			long all = step.duration().toMillis();
			long millis = Math.min(all, left);
			double from = rate * step.factor();
			double end = (step.to() != null) ? rate * step.to() : from;
			parts.add(new Part(millis / 1e3, from, from + (end - from) * millis / all));
			left -= millis;
		}
		return parts;
	}

}
