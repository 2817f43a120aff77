package io.gatewaybench.metrics;

import io.gatewaybench.internal.Outcome;
import io.micrometer.observation.Observation;

/**
 * What is known of an exchange that is observed: a request, from the moment that its
 * route is known to the end of its response.
 *
 * @since 0.1.0
 */
public final class ExchangeObservationContext extends Observation.Context {

	private volatile String route;

	private volatile int status;

	private volatile boolean completed;

	/**
	 * A context.
	 * @param route the id of the route, or {@code none}
	 */
	public ExchangeObservationContext(String route) {
		this.route = route;
	}

	/**
	 * Which route the request takes.
	 * @return the id of the route; {@code none} if it has none, {@code _other} for all
	 * further ones after 10,000
	 */
	public String getRoute() {
		return this.route;
	}

	/**
	 * What the client was told.
	 * @return the status code, 0 as long as it is not known or if nothing was told
	 */
	public int getStatus() {
		return this.status;
	}

	/**
	 * How the exchange has ended.
	 * @return {@code SUCCESS} and the like by the class of the status; {@code ABORTED} if
	 * the client left, the transfer broke or no response came
	 */
	public String getOutcome() {
		return Outcome.of(this.status, this.completed).name();
	}

	/**
	 * The request takes another route.
	 * @param next the id of the route, or {@code none}
	 */
	public void route(String next) {
		this.route = next;
	}

	/**
	 * The exchange has ended.
	 * @param status what the client was told, 0 for nothing
	 * @param completed whether the client got all of the response
	 */
	public void end(int status, boolean completed) {
		this.completed = completed;
		this.status = status;
	}

}
