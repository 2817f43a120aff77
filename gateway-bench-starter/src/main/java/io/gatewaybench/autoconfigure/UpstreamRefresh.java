package io.gatewaybench.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Takes over instances and weights that changed in the environment. What cannot work is
 * refused as at the start, but the gateway goes on with what it has.
 * <p>
 * The keys of an event do not tell whether instances have changed, as a value may refer
 * to any other key. So what is configured now is compared with what was configured
 * before.
 */
final class UpstreamRefresh implements ApplicationListener<EnvironmentChangeEvent> {

	private static final Log logger = LogFactory.getLog(UpstreamRefresh.class);

	private static final String PREFIX = "gateway-bench.upstreams";

	private final ConfiguredUpstreams configured;

	private final Upstreams upstreams;

	private final Environment environment;

	private Map<String, GatewayBenchProperties.Upstream> known;

	UpstreamRefresh(ConfiguredUpstreams configured, GatewayBenchProperties properties, Upstreams upstreams,
			Environment environment) {
		this.configured = configured;
		this.upstreams = upstreams;
		this.environment = environment;
		this.known = properties.upstreams();
	}

	private Map<String, GatewayBenchProperties.Upstream> configured() {
		return Binder.get(this.environment)
			.bind(PREFIX, Bindable.mapOf(String.class, GatewayBenchProperties.Upstream.class))
			.orElseGet(Map::of);
	}

	@Override
	public synchronized void onApplicationEvent(EnvironmentChangeEvent event) {
		Map<String, GatewayBenchProperties.Upstream> before = this.known;
		try {
			Map<String, GatewayBenchProperties.Upstream> configured = configured();
			if (configured.equals(this.known)) {
				return;
			}
			this.known = configured;
			// All are checked before the first one changes
			Map<String, Map<Instance, Integer>> weights = new HashMap<>();
			configured.forEach((name, upstream) -> {
				if (upstream.serviceId() == null) {
					weights.put(name, this.configured.weights(name, upstream));
				}
			});
			this.upstreams.all().forEach((upstream) -> refresh(upstream, weights.get(upstream.name())));
		}
		catch (RuntimeException ex) {
			logger.error("Changes of '%s' are ignored, as they cannot work".formatted(PREFIX), ex);
		}
		catch (Error ex) {
			// Nothing is wrong with them, so the next event is to apply them
			this.known = before;
			throw ex;
		}
	}

	private static void refresh(Upstream upstream, @Nullable Map<Instance, Integer> weights) {
		// What is looked up since the start is looked up until the end
		if (weights != null && !upstream.isDiscovered()) {
			upstream.replace(weights);
		}
	}

}
