package io.gatewaybench.autoconfigure;

import java.util.function.ToDoubleFunction;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.exchange.Mirror;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.metrics.GatewayMeter;
import io.gatewaybench.internal.upstream.InFlightLimit;
import io.gatewaybench.internal.upstream.RateLimit;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.InstanceStatus.State;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * How many instances of an upstream are in each state, what passes on its WebSockets and,
 * of one with a limit, how many requests it has and has refused.
 */
final class InstanceMeters implements MeterBinder {

	private final Upstreams upstreams;

	private final Mirrors mirrors;

	private final WebSockets webSockets;

	private final Flavour flavour;

	InstanceMeters(Upstreams upstreams, Mirrors mirrors, WebSockets webSockets, Flavour flavour) {
		this.upstreams = upstreams;
		this.mirrors = mirrors;
		this.webSockets = webSockets;
		this.flavour = flavour;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (Upstream upstream : this.upstreams.all()) {
			for (State state : State.values()) {
				gauge(registry, GatewayMeter.UPSTREAM_INSTANCES, upstream, (known) -> count(known, state),
						upstream.name(), state.name(), this.flavour.label());
			}
			InFlightLimit limit = upstream.limit();
			if (limit != null) {
				String[] tags = { upstream.name(), this.flavour.label() };
				gauge(registry, GatewayMeter.UPSTREAM_IN_FLIGHT, limit, InFlightLimit::inFlight, tags);
				gauge(registry, GatewayMeter.UPSTREAM_WAITING, limit, InFlightLimit::waiting, tags);
				counter(registry, GatewayMeter.UPSTREAM_REFUSED, limit, InFlightLimit::refused, tags);
			}
			RateLimit rate = upstream.rateLimit();
			if (rate != null) {
				counter(registry, GatewayMeter.UPSTREAM_RATE_LIMITED, rate, RateLimit::refused, upstream.name(),
						this.flavour.label());
			}
			WebSockets.Traffic traffic = this.webSockets.traffic(upstream.name());
			gauge(registry, GatewayMeter.WEB_SOCKETS_OPEN, traffic, (known) -> known.open().get(), upstream.name(),
					this.flavour.label());
			counter(registry, GatewayMeter.WEB_SOCKET_BYTES, traffic, (known) -> known.fromClients().sum(),
					upstream.name(), "client", this.flavour.label());
			counter(registry, GatewayMeter.WEB_SOCKET_BYTES, traffic, (known) -> known.fromUpstream().sum(),
					upstream.name(), "upstream", this.flavour.label());
		}
		this.mirrors.forEach((upstream, mirror) -> bind(registry, upstream, mirror));
	}

	private void bind(MeterRegistry registry, String upstream, Mirror mirror) {
		GatewayMeter meter = GatewayMeter.UPSTREAM_MIRRORED;
		counter(registry, meter, mirror, Mirror::sent, upstream, "SENT", this.flavour.label());
		counter(registry, meter, mirror, Mirror::failed, upstream, "FAILED", this.flavour.label());
		counter(registry, meter, mirror, Mirror::dropped, upstream, "DROPPED", this.flavour.label());
	}

	private static <T> void gauge(MeterRegistry registry, GatewayMeter meter, T of, ToDoubleFunction<T> value,
			String... tags) {
		Gauge.builder(meter.meterName(), of, value)
			.description(meter.description())
			.tags(meter.tags(tags))
			.register(registry);
	}

	private static <T> void counter(MeterRegistry registry, GatewayMeter meter, T of, ToDoubleFunction<T> value,
			String... tags) {
		FunctionCounter.builder(meter.meterName(), of, value)
			.description(meter.description())
			.tags(meter.tags(tags))
			.register(registry);
	}

	private static long count(Upstream upstream, State state) {
		return upstream.status().stream().map(InstanceStatus::state).filter(state::equals).count();
	}

}
