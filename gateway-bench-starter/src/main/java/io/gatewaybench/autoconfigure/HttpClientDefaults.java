package io.gatewaybench.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Adds defaults for the connection pool of the WebFlux gateway, and for the request lines
 * of its server, to the environment, behind all other properties. Those of
 * {@code @PropertySource} come last, and are there when bean factories are
 * post-processed. The gateway's own properties for the pool take precedence. On WebMVC
 * the starter builds the client itself.
 */
final class HttpClientDefaults implements BeanFactoryPostProcessor {

	private static final String PREFIX = "gateway-bench.";

	private static final String POOL = "spring.cloud.gateway.server.webflux.httpclient.pool.";

	private final ConfigurableEnvironment environment;

	HttpClientDefaults(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Map<String, Object> defaults = new HashMap<>();
		if (this.environment.getProperty(PREFIX + "server.tuned", boolean.class, true)) {
			// As on Tomcat, which has no limit of its own for a request line
			defaults.put("server.netty.max-initial-line-length",
					this.environment.getProperty("server.max-http-request-header-size", "8KB"));
		}
		if (this.environment.getProperty(PREFIX + "http-client.tuned", boolean.class, true)) {
			addPool(defaults, Binder.get(this.environment)
				.bindOrCreate(PREFIX + "http-client", GatewayBenchProperties.HttpClient.class));
		}
		this.environment.getPropertySources().addLast(new MapPropertySource("gatewayBenchDefaults", defaults));
	}

	private static void addPool(Map<String, Object> defaults, GatewayBenchProperties.HttpClient client) {
		defaults.put(POOL + "type", "fixed");
		defaults.put(POOL + "max-connections", client.maxConnectionsPerInstance());
		defaults.put(POOL + "acquire-timeout", client.acquireTimeout().toMillis());
		defaults.put(POOL + "max-idle-time", client.maxIdleTime());
		defaults.put(POOL + "eviction-interval", client.maxIdleTime());
		defaults.put(POOL + "max-life-time", client.maxConnectionAge());
		// The connection that was used last is the one that is most likely still open
		defaults.put(POOL + "leasing-strategy", "lifo");
	}

}
