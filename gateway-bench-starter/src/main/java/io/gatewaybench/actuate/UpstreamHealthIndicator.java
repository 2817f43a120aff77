package io.gatewaybench.actuate;

import java.util.List;

import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.InstanceStatus.State;
import io.gatewaybench.upstream.Upstream;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of an upstream: down if the last instance that takes requests fails, too.
 *
 * @since 0.1.0
 */
public final class UpstreamHealthIndicator implements HealthIndicator {

	private final Upstream upstream;

	/**
	 * An indicator.
	 * @param upstream the upstream
	 */
	public UpstreamHealthIndicator(Upstream upstream) {
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
