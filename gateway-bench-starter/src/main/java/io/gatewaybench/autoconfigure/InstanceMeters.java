package io.gatewaybench.autoconfigure;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.metrics.GatewayMeter;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.InstanceStatus.State;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges {@code gateway.bench.upstream.instances}: how many instances of an upstream are
 * in each state.
 */
final class InstanceMeters implements MeterBinder {

	private final Upstreams upstreams;

	private final Flavour flavour;

	InstanceMeters(Upstreams upstreams, Flavour flavour) {
		this.upstreams = upstreams;
		this.flavour = flavour;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (Upstream upstream : this.upstreams.all()) {
			for (State state : State.values()) {
				GatewayMeter meter = GatewayMeter.UPSTREAM_INSTANCES;
				Gauge.builder(meter.meterName(), upstream, (known) -> count(known, state))
					.description(meter.description())
					.tags(meter.tags(upstream.name(), state.name(), this.flavour.label()))
					.register(registry);
			}
		}
	}

	private static long count(Upstream upstream, State state) {
		return upstream.status().stream().map(InstanceStatus::state).filter(state::equals).count();
	}

}
