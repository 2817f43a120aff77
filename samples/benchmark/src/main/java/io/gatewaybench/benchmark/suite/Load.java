package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Step;
import io.gatewaybench.benchmark.plan.Workload;

/**
 * What a gateway is loaded with; variants are compared under the same one.
 *
 * @param workload who sends what
 * @param rate requests per second in the open model, otherwise 0
 * @param arrivals how the requests of the open model are spread
 * @param steps what {@link Arrivals#STEPPED} arrivals follow, otherwise none
 */
public record Load(Workload workload, double rate, Arrivals arrivals, List<Step> steps) {

	/**
	 * The most requests in flight in the open model unless told otherwise.
	 */
	public static final int OPEN_CONNECTIONS = 256;

	/**
	 * Copies the list.
	 */
	public Load {
		steps = List.copyOf(steps);
	}

	/**
	 * A closed loop.
	 * @param workload who sends what
	 * @return the load
	 */
	public static Load closed(Workload workload) {
		return new Load(workload, 0, Arrivals.CONSTANT, List.of());
	}

	/**
	 * The name in scenario ids, made of everything but the requests: {@code c16} for 16
	 * users, {@code c16-think100ms} if they pause, {@code r500} for 500 requests per
	 * second, {@code r500-poisson-on64} if they are spread so and 64 may be in flight.
	 * @return letters, digits, dots and hyphens
	 */
	public String id() {
		if (this.workload.model() == Model.CLOSED) {
			Duration think = this.workload.thinkTime();
			return "c" + this.workload.connections() + (think.isZero() ? "" : "-think" + think.toMillis() + "ms");
		}
		String spread = switch (this.arrivals) {
			case CONSTANT -> "";
			case POISSON -> "-poisson";
			case STEPPED -> this.steps.stream()
				.map((step) -> "-" + number(step.factor()) + "x" + step.duration().toMillis() + "ms")
				.collect(Collectors.joining());
		};
		int connections = this.workload.connections();
		return "r" + number(this.rate) + spread + ((connections != OPEN_CONNECTIONS) ? "-on" + connections : "");
	}

	/**
	 * The name in reports.
	 * @return such as {@code × 16} or {@code at 500/s}
	 */
	String title() {
		String id = id();
		int detail = id.indexOf('-');
		String more = (detail >= 0) ? " (" + id.substring(detail + 1).replace('-', ' ') + ")" : "";
		return ((this.rate > 0) ? "at " + number(this.rate) + "/s" : "× " + this.workload.connections()) + more;
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
		return new Load(new Workload(Model.OPEN, this.workload.mix(), connections, Duration.ZERO), perSecond, spread,
				List.of());
	}

	/**
	 * The same requests in closed loops on other connections.
	 * @param connections how many
	 * @return the load
	 */
	public Load on(int connections) {
		return closed(new Workload(Model.CLOSED, this.workload.mix(), connections, this.workload.thinkTime()));
	}

	/**
	 * A stage of this load.
	 * @param name the name of the stage
	 * @param kind what the stage is for
	 * @param duration how long requests are started
	 * @return the stage
	 */
	public Stage stage(String name, Stage.Kind kind, Duration duration) {
		return new Stage(name, kind, duration, this.rate, this.arrivals, this.steps, this.workload.connections());
	}

	/**
	 * Whether one session of the generator can send both, one after the other.
	 * @param other the other
	 * @return whether they differ in rate and connections only
	 */
	public boolean isAlike(Load other) {
		return this.workload.model() == other.workload.model() && this.workload.mix().equals(other.workload.mix())
				&& this.workload.thinkTime().equals(other.workload.thinkTime());
	}

}
