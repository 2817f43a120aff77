package io.gatewaybench.internal.exchange;

import java.net.URI;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.internal.metrics.ExchangeObservation;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * What becomes of a request, whichever of its exchanges it becomes of: how it is counted,
 * and observed, and whether its client failed. Any thread may report.
 */
public final class RequestOutcome {

	private static final AtomicIntegerFieldUpdater<RequestOutcome> COUNTED = AtomicIntegerFieldUpdater
		.newUpdater(RequestOutcome.class, "counted");

	private final GatewayMetrics metrics;

	private final GatewayObservations observations;

	private final long arrived = System.nanoTime();

	private volatile int counted;

	private volatile boolean clientFailed;

	private volatile boolean admitted;

	private volatile boolean mirrored;

	private volatile ExchangeObservation observation = ExchangeObservation.NONE;

	RequestOutcome(GatewayMetrics metrics, GatewayObservations observations) {
		this.metrics = metrics;
		this.observations = observations;
	}

	GatewayMetrics metrics() {
		return this.metrics;
	}

	ExchangeObservation observation() {
		return this.observation;
	}

	/**
	 * What observes the attempts of an exchange. Once it is over, another exchange of the
	 * request may have attempts.
	 */
	ExchangeObservation attemptsOf(GatewayExchange exchange) {
		return exchange.isOver() ? ExchangeObservation.NONE : this.observation;
	}

	boolean isToBeObserved() {
		return this.observations.isOn() && !isObserved();
	}

	/**
	 * Begin to observe the request.
	 * @param route id of its route, {@code null} if it has none
	 * @param server what the observation of the server knows, {@code null} if the server
	 * is not observed
	 */
	public void observe(@Nullable String route, Observation.@Nullable ContextView server) {
		this.observation = this.observations.exchange(route, server);
	}

	/**
	 * {@return whether this observes the request, and not the gateway's own client}
	 */
	public boolean isObserved() {
		return this.observation != ExchangeObservation.NONE;
	}

	/**
	 * The headers of the request are complete, and it is about to be sent.
	 * @param exchange the exchange that has the request
	 * @param target URL at the instance
	 * @param headers headers of the request, which may get what makes a trace go on
	 */
	public void sending(GatewayExchange exchange, URI target, HttpHeaders headers) {
		if (isObserved()) {
			UpstreamCall call = exchange.upstream().call();
			String host = String.valueOf(target.getHost());
			attemptsOf(exchange).attempt((call != null) ? call.upstream() : null,
					(target.getPort() != -1) ? host + ":" + target.getPort() : host, headers);
		}
	}

	/**
	 * The gateway's own client has sent the request, without an instance to choose.
	 * @param exchange the exchange that has the request
	 * @param status status of the response, 0 if there is none
	 * @param error what the client threw, {@code null} if nothing
	 */
	public void attempted(GatewayExchange exchange, int status, @Nullable Throwable error) {
		attemptsOf(exchange).responded(status);
		UpstreamFailure failure = (error != null) ? UpstreamFailure.of(error) : null;
		if (failure != null) {
			attemptsOf(exchange).attemptFailed(failure.name(), new UpstreamException(failure, error));
		}
	}

	/**
	 * Count the request against what its client may send, once for all of its exchanges.
	 * @param upstream the upstream
	 * @param request what the client is told by
	 * @return 0 if it may be sent, else the number of seconds after which it might
	 */
	public long admit(Upstream upstream, InstanceChooser.Request request) {
		long seconds = this.admitted ? 0 : upstream.admit(request);
		this.admitted |= seconds == 0;
		return seconds;
	}

	/** Whether nobody has asked yet whether it goes to a mirror. */
	boolean mirrors() {
		boolean first = !this.mirrored;
		this.mirrored = true;
		return first;
	}

	/** The client did not send its request to the end. */
	public void clientFailed() {
		this.clientFailed = true;
	}

	/**
	 * {@return whether the client did not send its request to the end}
	 */
	public boolean hasClientFailed() {
		return this.clientFailed;
	}

	/**
	 * The server has completed the response: count it.
	 * @param exchange the exchange that has the request
	 * @param status status of the response
	 */
	public void completed(GatewayExchange exchange, int status) {
		Delivery delivery = exchange.upstream().delivery();
		if (delivery == Delivery.NONE && this.clientFailed) {
			count(exchange, 0, false);
		}
		else {
			count(exchange, status, delivery != Delivery.CUT_OFF);
		}
	}

	/**
	 * The exchange has failed: count it. Where nothing has been sent yet, an error page
	 * follows.
	 * @param exchange the exchange that has the request
	 * @param status status that the client sees
	 * @param committed whether anything of the response has left
	 */
	public void failed(GatewayExchange exchange, int status, boolean committed) {
		boolean unanswered = this.clientFailed && !committed;
		count(exchange, unanswered ? 0 : status, !unanswered && !committed);
	}

	/**
	 * The server has cancelled the exchange, as the client left: count it.
	 * @param exchange the exchange that has the request
	 * @param status status of the response
	 * @param committed whether anything of the response has left
	 */
	public void cancelled(GatewayExchange exchange, int status, boolean committed) {
		count(exchange, committed ? status : 0, exchange.upstream().delivery() == Delivery.WHOLE);
	}

	/**
	 * A request is counted once, however many exchanges it had and whichever of its
	 * threads is first.
	 */
	private void count(GatewayExchange exchange, int status, boolean whole) {
		this.observation.end(status, whole);
		String route = exchange.routeId();
		if (route != null && exchange.features().has(Feature.METRICS) && COUNTED.compareAndSet(this, 0, 1)) {
			this.metrics.request(route, status, whole, System.nanoTime() - this.arrived);
		}
	}

	/** How much of the body of a response the client got. */
	enum Delivery {

		NONE, OFFERED, WHOLE, CUT_OFF

	}

}
