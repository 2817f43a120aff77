package io.gatewaybench.autoconfigure;

import java.util.Map;
import java.util.Set;

import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Takes over instances and weights that changed in the environment. What cannot work is
 * refused as at the start, but the gateway goes on with what it has.
 */
final class UpstreamRefresh implements ApplicationListener<EnvironmentChangeEvent> {

	private static final Log logger = LogFactory.getLog(UpstreamRefresh.class);

	private static final String PREFIX = "gateway-bench.upstreams";

	private static final ConfigurationPropertyName UPSTREAMS = ConfigurationPropertyName.of(PREFIX);

	private final GatewayBenchSettings settings;

	private final Upstreams upstreams;

	private final Environment environment;

	UpstreamRefresh(GatewayBenchSettings settings, Upstreams upstreams, Environment environment) {
		this.settings = settings;
		this.upstreams = upstreams;
		this.environment = environment;
	}

	@Override
	public void onApplicationEvent(EnvironmentChangeEvent event) {
		Set<String> keys = event.getKeys();
		if (keys.stream().noneMatch(UpstreamRefresh::isOfUpstreams)) {
			return;
		}
		try {
			Map<String, GatewayBenchProperties.Upstream> configured = Binder.get(this.environment)
				.bind(PREFIX, Bindable.mapOf(String.class, GatewayBenchProperties.Upstream.class))
				.orElseGet(Map::of);
			// All are checked before the first one changes
			configured.forEach(this.settings::weights);
			this.upstreams.all().forEach((upstream) -> refresh(upstream, configured));
		}
		catch (RuntimeException ex) {
			logger.error("Changes of '%s' are ignored, as they cannot work".formatted(PREFIX), ex);
		}
	}

	/**
	 * In each of the spellings that Spring Boot takes in a file.
	 */
	private static boolean isOfUpstreams(String key) {
		return UPSTREAMS.isAncestorOf(ConfigurationPropertyName.adapt(key, '.'));
	}

	private void refresh(Upstream upstream, Map<String, GatewayBenchProperties.Upstream> configured) {
		GatewayBenchProperties.Upstream changed = configured.get(upstream.name());
		if (changed != null) {
			upstream.replace(this.settings.weights(upstream.name(), changed));
		}
	}

}
