package io.gatewaybench.metrics;

import java.util.Objects;

import io.gatewaybench.internal.Outcome;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

import org.springframework.http.HttpHeaders;

/**
 * What is known of an attempt that is observed: one try to get the response from one
 * instance. The carrier are the headers of the request to the instance, so that a trace
 * goes on there.
 *
 * @since 0.1.0
 */
public final class AttemptObservationContext extends SenderContext<HttpHeaders> {

	private static final String NONE = "none";

	private final String route;

	private final String upstream;

	private final String instance;

	private volatile int status;

	private volatile String failure = NONE;

	/**
	 * A context.
	 * @param route the id of the route, or {@code none}
	 * @param upstream the name of the upstream, or {@code none}
	 * @param instance host and port of the instance
	 * @param headers the headers of the request to the instance
	 */
	public AttemptObservationContext(String route, String upstream, String instance, HttpHeaders headers) {
		super((carrier, name, value) -> Objects.requireNonNull(carrier).set(name, value), Kind.CLIENT);
		this.route = route;
		this.upstream = upstream;
		this.instance = instance;
		setCarrier(headers);
		setRemoteServiceName(upstream.equals(NONE) ? instance : upstream);
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
	 * Where the request goes.
	 * @return the name of the upstream, {@code none} for a route that leads to an address
	 */
	public String getUpstream() {
		return this.upstream;
	}

	/**
	 * The instance that is tried.
	 * @return host and port, {@code _other} for all further ones after 10,000
	 */
	public String getInstance() {
		return this.instance;
	}

	/**
	 * What the instance has answered.
	 * @return the status code, 0 as long as there is no response
	 */
	public int getStatus() {
		return this.status;
	}

	/**
	 * How the attempt has ended.
	 * @return {@code SUCCESS} and the like by the class of the status; {@code ABORTED} if
	 * there was no response, or it broke off
	 */
	public String getOutcome() {
		return Outcome.of(this.status, this.failure.equals(NONE)).name();
	}

	/**
	 * What is wrong.
	 * @return the name of an {@code UpstreamFailure}, {@code none} if nothing is
	 */
	public String getFailure() {
		return this.failure;
	}

	/**
	 * The instance has answered.
	 * @param status the status code
	 */
	public void responded(int status) {
		this.status = status;
	}

	/**
	 * The attempt has failed.
	 * @param failure the name of an {@code UpstreamFailure}
	 */
	public void failed(String failure) {
		this.failure = failure;
	}

}
