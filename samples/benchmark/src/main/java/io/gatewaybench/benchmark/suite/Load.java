package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.load.Workload;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway is loaded with; variants are compared under the same one.
 *
 * @param workload who sends what
 * @param selection names of the requests that it sends, {@code null} if it sends all of
 * the suite
 * @param rate requests per second in the open model, otherwise 0
 * @param arrivals how the requests of the open model are spread
 * @param steps what {@link Arrivals#STEPPED} arrivals follow, otherwise none
 * @param iterations when the users of the closed model have done their part, {@code null}
 * if a measurement ends by time
 * @param p99Limit the highest rate is searched whose P99 of the response time is within
 * this, beginning with {@code rate}; {@code null} if the rate is given
 */
public record Load(Workload workload, @Nullable String selection, double rate, Arrivals arrivals, List<Step> steps,
		@Nullable Iterations iterations, @Nullable Duration p99Limit) {

	/**
	 * The most requests in flight in the open model unless told otherwise.
	 */
	public static final int OPEN_CONNECTIONS = 256;

	/**
	 * A closed loop that is measured by time.
	 * @param workload who sends what
	 * @return the load
	 */
	public static Load closed(Workload workload) {
		return closed(workload, null, null);
	}

	/**
	 * A closed loop.
	 * @param workload who sends what
	 * @param selection names of the requests that it sends, {@code null} for all
	 * @param iterations when users have done their part, {@code null} to measure by time
	 * @return the load
	 */
	static Load closed(Workload workload, @Nullable String selection, @Nullable Iterations iterations) {
		return new Load(workload, selection, 0, Arrivals.CONSTANT, List.of(), iterations, null);
	}

	/**
	 * The name in scenario ids. It has all that the load is made of.
	 * <ul>
	 * <li>{@code c16}: 16 users</li>
	 * <li>{@code c16x100}: each of them sends 100 requests</li>
	 * <li>{@code c16-read}: they send the request of this name only</li>
	 * <li>{@code c16-think100ms}: they pause</li>
	 * <li>{@code r500}: 500 requests per second</li>
	 * <li>{@code r500-poisson-on64}: they are spread so, and 64 may be in flight</li>
	 * <li>{@code highest-p99-400ms}: the highest rate within a limit</li>
	 * </ul>
	 * @return letters, digits, dots and hyphens
	 */
	public String id() {
		String requests = (this.selection != null) ? "-" + this.selection : "";
		if (this.workload.model() == Model.CLOSED) {
			Duration think = this.workload.thinkTime();
			return "c" + this.workload.connections()
					+ ((this.iterations != null) ? "x" + this.iterations.perUser() : "") + requests
					+ (think.isZero() ? "" : "-think" + think.toMillis() + "ms");
		}
		String spread = switch (this.arrivals) {
			case CONSTANT -> "";
			case POISSON -> "-poisson";
			case STEPPED -> this.steps.stream()
				.map((step) -> "-" + number(step.factor()) + ((step.to() != null) ? "to" + number(step.to()) : "") + "x"
						+ step.duration().toMillis() + "ms")
				.collect(Collectors.joining());
		};
		int connections = this.workload.connections();
		String name = (this.p99Limit != null) ? "highest-p99-" + this.p99Limit.toMillis() + "ms"
				: "r" + number(this.rate);
		return name + requests + spread + ((connections != OPEN_CONNECTIONS) ? "-on" + connections : "");
	}

	/**
	 * The name in reports.
	 * @return such as {@code × 16}, {@code × 16, 100 requests each} or {@code at 500/s}
	 */
	String title() {
		if (this.p99Limit != null) {
			return "at the highest rate with a P99 of " + this.p99Limit.toMillis() + " ms at most"
					+ ((this.selection != null) ? " (" + this.selection + ")" : "");
		}
		String id = id();
		int detail = id.indexOf('-');
		String more = (detail >= 0) ? " (" + id.substring(detail + 1).replace('-', ' ') + ")" : "";
		String end = (this.iterations != null) ? ", " + this.iterations.perUser() + " requests each" : "";
		return ((this.rate > 0) ? "at " + number(this.rate) + "/s" : "× " + this.workload.connections()) + end + more;
	}

	private static String number(double value) {
		return (value == Math.rint(value)) ? Long.toString((long) value) : Double.toString(value);
	}

	/**
	 * The same requests at a rate.
	 * @param perSecond requests per second
	 * @param spread how they are spread, constant or Poisson
	 * @param connections the most requests in flight
	 * @return the load
	 */
	public Load atRate(double perSecond, Arrivals spread, int connections) {
		return new Load(new Workload(Model.OPEN, this.workload.mix(), connections, Duration.ZERO), this.selection,
				perSecond, spread, List.of(), null, null);
	}

	/**
	 * The same load at a rate that was found, under the same name.
	 * @param found requests per second
	 * @return the load
	 */
	public Load at(double found) {
		return new Load(this.workload, this.selection, found, this.arrivals, this.steps, this.iterations,
				this.p99Limit);
	}

	/**
	 * The same requests in closed loops on other connections, each with as many
	 * iterations.
	 * @param connections how many
	 * @return the load
	 */
	public Load on(int connections) {
		return closed(new Workload(Model.CLOSED, this.workload.mix(), connections, this.workload.thinkTime()),
				this.selection, this.iterations);
	}

	/**
	 * The same closed loop with as many requests of each user.
	 * @param perUser how many
	 * @return the load
	 */
	public Load times(int perUser) {
		return closed(this.workload, this.selection, new Iterations(perUser, Iterations.MAX_DURATION));
	}

	/**
	 * A stage that warms up under this load.
	 * @param name the name of the stage
	 * @param duration how long requests are started, also if the load has iterations
	 * @return the stage
	 */
	public Stage warmUp(String name, Duration duration) {
		return new Stage(name, Stage.Kind.WARMUP, Duration.ZERO, duration, this.rate, this.arrivals, this.steps,
				this.workload.connections(), 0, this.workload.mix());
	}

	/**
	 * A stage that measures this load.
	 * @param name the name of the stage
	 * @param duration how long requests are started, unless the load has iterations
	 * @return the stage
	 */
	public Stage measurement(String name, Duration duration) {
		return new Stage(name, Stage.Kind.MEASURE, Duration.ZERO, maxDuration(duration), this.rate, this.arrivals,
				this.steps, this.workload.connections(), (this.iterations != null) ? this.iterations.perUser() : 0,
				this.workload.mix());
	}

	/**
	 * How long a measurement takes at most.
	 * @param duration how long one takes that ends by time
	 * @return the same, unless the load has iterations
	 */
	public Duration maxDuration(Duration duration) {
		return (this.iterations != null) ? this.iterations.maxDuration() : duration;
	}

}
