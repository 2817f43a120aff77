package io.gatewaybench.autoconfigure.webflux;

import io.gatewaybench.upstream.ConnectionSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Sets up the pool of the gateway's client before the application's own properties are
 * bound over it.
 */
final class HttpClientDefaults implements BeanPostProcessor, PriorityOrdered {

	private static final Log logger = LogFactory.getLog(HttpClientDefaults.class);

	private final ObjectProvider<ConnectionSettings> settings;

	private boolean logged;

	HttpClientDefaults(ObjectProvider<ConnectionSettings> settings) {
		this.settings = settings;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof HttpClientProperties properties) {
			prepare(properties.getPool(), this.settings.getObject());
		}
		return bean;
	}

	private static void prepare(Pool pool, ConnectionSettings settings) {
		pool.setType(Pool.PoolType.FIXED);
		pool.setMaxConnections(settings.maxPerInstance());
		pool.setAcquireTimeout(settings.acquireTimeout().toMillis());
		pool.setMaxIdleTime(settings.maxIdleTime());
		pool.setEvictionInterval(settings.maxIdleTime());
		// The connection that was used last is the one that is open most certainly
		pool.setLeasingStrategy(Pool.LeasingStrategy.LIFO);
	}

	/**
	 * Every refresh binds the properties anew, but the pool stays as it is.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.logged && bean instanceof HttpClientProperties properties) {
			this.logged = true;
			Pool pool = properties.getPool();
			logger.info(
					"Requests to upstreams go through Reactor Netty's client, pool %s, at most %s connections to an instance,"
						.formatted(pool.getType(), pool.getMaxConnections())
							+ " %s ms to wait for one, closed after %s without use".formatted(pool.getAcquireTimeout(),
									pool.getMaxIdleTime()));
		}
		return bean;
	}

	/**
	 * Before the processor that binds properties, whose order is one more.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
