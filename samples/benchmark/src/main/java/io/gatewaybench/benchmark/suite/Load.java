package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Step;
import io.gatewaybench.benchmark.plan.Workload;

/**
 * What a gateway is loaded with; variants are compared under the same one.
 *
 * @param id the name in scenario ids, for example {@code c16}
 * @param workload who sends what
 * @param rate requests per second in the open model, otherwise 0
 * @param arrivals how the requests of the open model are spread
 * @param steps what {@link Arrivals#STEPPED} arrivals follow, otherwise none
 */
public record Load(String id, Workload workload, double rate, Arrivals arrivals, List<Step> steps) {

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
	 * @return the load, named by its connections
	 */
	public static Load closed(Workload workload) {
		return new Load("c" + workload.connections(), workload, 0, Arrivals.CONSTANT, List.of());
	}

	/**
	 * The same requests at a rate.
	 * @param perSecond requests per second
	 * @param spread how they are spread, constant or Poisson
	 * @param connections the most requests in flight
	 * @return the load, named by its rate
	 */
	public Load atRate(double perSecond, Arrivals spread, int connections) {
		Workload open = new Workload(Model.OPEN, this.workload.mix(), connections, Duration.ZERO);
		String name = "r" + ((perSecond == Math.rint(perSecond)) ? Long.toString((long) perSecond) : perSecond);
		return new Load(name, open, perSecond, spread, List.of());
	}

	/**
	 * The same requests in closed loops on other connections.
	 * @param connections how many
	 * @return the load, named by its connections
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
		return new Stage(name, kind, duration, this.rate, this.arrivals, this.steps, this.workload.connections(),
				false);
	}

	/**
	 * Whether one process of the generator can send both, one after the other.
	 * @param other the other
	 * @return whether they differ in rate and connections only
	 */
	public boolean isAlike(Load other) {
		return this.workload.model() == other.workload.model() && this.workload.mix().equals(other.workload.mix())
				&& this.workload.thinkTime().equals(other.workload.thinkTime());
	}

}
