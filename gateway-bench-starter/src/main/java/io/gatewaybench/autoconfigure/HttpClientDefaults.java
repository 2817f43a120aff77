package io.gatewaybench.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Adds defaults for the connection pool of the WebFlux gateway, and for the request lines
 * of its server, to the environment, behind all other properties. The gateway's own
 * properties for the pool take precedence. On WebMVC the starter builds the client
 * itself.
 */
final class HttpClientDefaults implements EnvironmentPostProcessor, Ordered {

	private static final String GATEWAY = "org.springframework.cloud.gateway.config.HttpClientProperties";

	private static final String PREFIX = "gateway-bench.";

	private static final String POOL = "spring.cloud.gateway.server.webflux.httpclient.pool.";

	/**
	 * After the processor that loads {@code application.yml}.
	 */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (environment.getProperty(PREFIX + "enabled", boolean.class, true)
				&& environment.getProperty(PREFIX + "server.tuned", boolean.class, true)
				&& ClassUtils.isPresent(GATEWAY, getClass().getClassLoader())) {
			addServer(environment);
		}
		boolean tuned = environment.getProperty(PREFIX + "enabled", boolean.class, true)
				&& environment.getProperty(PREFIX + "http-client.tuned", boolean.class, true);
		if (tuned && ClassUtils.isPresent(GATEWAY, getClass().getClassLoader())) {
			environment.getPropertySources()
				.addLast(new MapPropertySource("gatewayBenchHttpClientDefaults", pool(Binder.get(environment)
					.bindOrCreate(PREFIX + "http-client", GatewayBenchProperties.HttpClient.class))));
		}
	}

	/**
	 * A request line may be as long as on Tomcat, which has no limit of its own for it.
	 */
	private static void addServer(ConfigurableEnvironment environment) {
		environment.getPropertySources()
			.addLast(new MapPropertySource("gatewayBenchServerDefaults", Map.of("server.netty.max-initial-line-length",
					environment.getProperty("server.max-http-request-header-size", "8KB"))));
	}

	private static Map<String, Object> pool(GatewayBenchProperties.HttpClient client) {
		Map<String, Object> pool = new HashMap<>();
		pool.put(POOL + "type", "fixed");
		pool.put(POOL + "max-connections", client.maxConnectionsPerInstance());
		pool.put(POOL + "acquire-timeout", client.acquireTimeout().toMillis());
		pool.put(POOL + "max-idle-time", client.maxIdleTime());
		pool.put(POOL + "eviction-interval", client.maxIdleTime());
		// The connection that was used last is the one that is most likely still open
		pool.put(POOL + "leasing-strategy", "lifo");
		return pool;
	}

}
