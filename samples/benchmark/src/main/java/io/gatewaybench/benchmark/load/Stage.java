package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;

/**
 * One part of a load; the stages of a session follow one another on the same connections.
 *
 * @param name the name in results and events
 * @param kind what the stage is for
 * @param lead how long requests are started before the window, so that the window begins
 * in the middle of the load: in it the users of a closed loop begin one after the other.
 * Its requests count, and are in no latency and no throughput
 * @param duration the window: how long requests are started after the lead at most
 * (finished ones are waited for afterwards)
 * @param rate requests per second in the open model, otherwise 0
 * @param arrivals how the requests of the open model are spread; ignored in the closed
 * model
 * @param steps what {@link Arrivals#STEPPED} arrivals follow, from the first to the last
 * and again until the stage is over; otherwise none
 * @param connections how many of the workload's connections it uses; 0 for all of them
 * @param iterations how many requests each user of the closed model sends, after which
 * the stage is over; 0 for as many as the duration allows
 * @param mix the request types that it sends instead of those of the workload; none to
 * send those of the workload
 */
public record Stage(String name, Kind kind, Duration lead, Duration duration, double rate, Arrivals arrivals,
		List<Step> steps, int connections, int iterations, List<RequestType> mix) {

	/**
	 * The highest rate, in requests per second.
	 */
	public static final double HIGHEST_RATE = 1_000_000;

	/**
	 * What a stage is for.
	 */
	public enum Kind {

		/**
		 * Load whose result is kept but is not a measurement.
		 */
		WARMUP,

		/**
		 * Load that is measured.
		 */
		MEASURE

	}

	/**
	 * Checks and copies the values.
	 * @throws IllegalArgumentException if the name is blank, the duration is not
	 * positive, the rate is negative, there are steps without stepped arrivals or the
	 * other way round, or there are iterations in the open model
	 */
	public Stage {
		steps = List.copyOf(steps);
		mix = List.copyOf(mix);
		if (name.isBlank()) {
			throw new IllegalArgumentException("stage.name is blank; give the stage a name");
		}
		check(name, duration.toMillis() >= 1 && duration.toDays() <= 7, "duration", duration, "choose 1 ms to 7 days");
		check(name, !lead.isNegative() && lead.toDays() <= 7, "lead", lead, "choose 0 to 7 days");
		check(name, rate >= 0 && rate <= HIGHEST_RATE, "rate", rate, "choose 0 to 1,000,000 per second");
		check(name, connections >= 0, "connections", connections, "choose 0 or more");
		check(name, iterations == 0 || (iterations > 0 && rate == 0), "iterations", iterations,
				"choose 0 or more, and 0 in the open model");
		boolean stepped = steps.stream().anyMatch((step) -> step.peak() > 0);
		check(name, (arrivals == Arrivals.STEPPED) == stepped, "arrivals", arrivals + " and steps " + steps,
				"STEPPED needs one at least with a factor above 0, the others none");
	}

	static void check(String stage, boolean holds, String key, Object value, String advice) {
		if (!holds) {
			throw new IllegalArgumentException("stage '%s' has %s %s; %s".formatted(stage, key, value, advice));
		}
	}

	/**
	 * A stage of the open model whose rate does not change.
	 * @param name the name
	 * @param kind what the stage is for
	 * @param duration how long requests are started
	 * @param rate requests per second
	 * @param arrivals constant or Poisson
	 */
	public Stage(String name, Kind kind, Duration duration, double rate, Arrivals arrivals) {
		this(name, kind, Duration.ZERO, duration, rate, arrivals, List.of(), 0, 0, List.of());
	}

	/**
	 * How long requests are started.
	 * @return lead and window
	 */
	public Duration sending() {
		return this.lead.plus(this.duration);
	}

	/**
	 * The same stage with a lead before its window.
	 * @param length how long requests are started before the window
	 * @return the stage
	 */
	public Stage after(Duration length) {
		return new Stage(this.name, this.kind, length, this.duration, this.rate, this.arrivals, this.steps,
				this.connections, this.iterations, this.mix);
	}

	/**
	 * The highest rate of the stage.
	 * @return requests per second
	 */
	public double peakRate() {
		return this.rate * rateSteps().stream().mapToDouble(Step::peak).max().orElseThrow();
	}

	/**
	 * How the rate changes.
	 * @return the steps, or one in which it stays the same
	 */
	List<Step> rateSteps() {
		return this.steps.isEmpty() ? List.of(new Step(sending(), 1)) : this.steps;
	}

	/**
	 * The requests that the open model is to start, by expectation for Poisson arrivals.
	 * @return their number
	 */
	public double plannedRequests() {
		List<Step> parts = rateSteps();
		double requests = 0;
		double left = sending().toMillis() / 1000.0;
		for (int i = 0; left > 0; i = (i + 1) % parts.size()) {
			Step step = parts.get(i);
			double length = Math.min(left, step.duration().toNanos() / 1e9);
			requests += step.requests(this.rate, length);
			left -= length;
		}
		return requests;
	}

	/**
	 * A stage of the closed model that ends by time.
	 * @param name the name
	 * @param kind what the stage is for
	 * @param duration how long requests are started
	 * @return the stage
	 */
	public static Stage closed(String name, Kind kind, Duration duration) {
		return new Stage(name, kind, duration, 0, Arrivals.CONSTANT);
	}

}
