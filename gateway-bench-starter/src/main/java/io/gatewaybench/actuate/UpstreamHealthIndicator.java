package io.gatewaybench.actuate;

import java.util.List;

import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.InstanceStatus.State;
import io.gatewaybench.upstream.Upstream;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of an upstream: down if the last instance that takes requests fails, too.
 */
final class UpstreamHealthIndicator implements HealthIndicator {

	private final Upstream upstream;

	UpstreamHealthIndicator(Upstream upstream) {
		this.upstream = upstream;
	}

	@Override
	public Health health() {
		List<InstanceStatus> instances = this.upstream.status();
		Health.Builder health = this.upstream.isFailing() ? Health.down() : Health.up();
		instances.forEach((status) -> health.withDetail(status.instance(), describe(status)));
		return health.build();
	}

	private static String describe(InstanceStatus status) {
		State state = status.state();
		return (status.checkFailure() != null) ? state + ": " + status.checkFailure() : state.toString();
	}

}
