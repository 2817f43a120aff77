package io.gatewaybench.webmvc;

import java.time.Duration;

import io.gatewaybench.internal.tomcat.TomcatTuning;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.JettyClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.SimpleClientHttpRequestFactoryBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * What makes the clients for upstreams. It is no {@link ClientHttpRequestFactoryBuilder}
 * bean, because the application's other clients would be made by that, too.
 *
 * @param builder the builder, set up for a gateway
 * @param limits limits of its clients
 * @param defaultReadTimeout how long its clients wait for bytes by default, where the
 * starter does that in their place; {@code null} where they do it themselves
 * @param resources closes what its clients share
 */
record TunedClient(ClientHttpRequestFactoryBuilder<?> builder, ClientInUse.Limits limits,
		@Nullable Duration defaultReadTimeout, Runnable resources) implements DisposableBean {

	private static final Log logger = LogFactory.getLog(TunedClient.class);

	/**
	 * Holds for repeated requests as well as for redirects, which a gateway passes on.
	 */
	private static final String RETRY_LIMIT = "jdk.httpclient.redirects.retrylimit";

	TunedClient(ClientHttpRequestFactoryBuilder<?> builder, ClientInUse.Limits limits,
			@Nullable Duration defaultReadTimeout) {
		this(builder, limits, defaultReadTimeout, () -> {
		});
	}

	/**
	 * Set a client up for a gateway.
	 * @param builder builder of the client that Spring Boot would take
	 * @param connections limits of its connections
	 * @param environment tells whether there are virtual threads, and how large a head
	 * may be
	 * @return the client, left as it is if it is none of those that the starter knows
	 */
	static TunedClient of(ClientHttpRequestFactoryBuilder<?> builder, ConnectionSettings connections,
			Environment environment) {
		boolean virtualThreads = Threading.VIRTUAL.isActive(environment);
		if (builder instanceof HttpComponentsClientHttpRequestFactoryBuilder apache) {
			log("Apache's client, at most %d connections to an instance and %d in total, %d ms to wait for one,"
					+ " closed after %d ms without use or at an age of %d ms", connections.maxPerInstance(),
					connections.maxTotal(), connections.acquireTimeout().toMillis(),
					connections.maxIdleTime().toMillis(), connections.maxAge().toMillis());
			return new TunedClient(
					HttpComponentsTuning.tune(apache, connections, TomcatTuning.maxUpstreamHeadSize(environment)),
					new ClientInUse.Limits(connections.maxPerInstance(), connections.maxTotal(),
							connections.acquireTimeout(), connections.maxIdleTime(), connections.maxAge()),
					HttpComponentsTuning.READ_TIMEOUT);
		}
		if (builder instanceof JettyClientHttpRequestFactoryBuilder jetty) {
			log("Jetty's client, at most %d connections to an instance, closed at an age of %d ms",
					connections.maxPerInstance(), connections.maxAge().toMillis());
			return new TunedClient(JettyTuning.tune(jetty, connections, virtualThreads),
					new ClientInUse.Limits(connections.maxPerInstance(), null, null, null, connections.maxAge()), null);
		}
		if (builder instanceof ReactorClientHttpRequestFactoryBuilder reactor) {
			log("Reactor Netty's client, at most %d connections to an instance, %d ms to wait for one,"
					+ " closed after %d ms without use or at an age of %d ms", connections.maxPerInstance(),
					connections.acquireTimeout().toMillis(), connections.maxIdleTime().toMillis(),
					connections.maxAge().toMillis());
			return ReactorTuning.tune(reactor, connections);
		}
		if (builder instanceof JdkClientHttpRequestFactoryBuilder jdk) {
			log("the JDK's client, any number of connections of any age");
			if (!"1".equals(System.getProperty(RETRY_LIMIT))) {
				logger.warn("The JDK's client repeats a GET or HEAD by itself if the upstream closes the connection."
						+ " No meter counts that. Set the system property " + RETRY_LIMIT
						+ " to 1, or take another client");
			}
			return new TunedClient(JdkTuning.tune(jdk, virtualThreads), ClientInUse.Limits.UNKNOWN, null);
		}
		log("a client that is left as it is");
		if (builder instanceof SimpleClientHttpRequestFactoryBuilder) {
			logger.warn("The JDK's older client repeats a request without a body by itself if the upstream closes the"
					+ " connection. No meter counts that. Take another client with"
					+ " spring.http.clients.imperative.factory");
		}
		return new TunedClient(builder, ClientInUse.Limits.UNKNOWN, null);
	}

	private static void log(String client, Object... settings) {
		logger.info("Requests to upstreams go through " + client.formatted(settings));
	}

	/**
	 * The client after the application has customized it.
	 */
	TunedClient with(ClientHttpRequestFactoryBuilder<?> customized) {
		return new TunedClient(customized, (customized == this.builder) ? this.limits : ClientInUse.Limits.UNKNOWN,
				this.defaultReadTimeout, this.resources);
	}

	/**
	 * How long the starter has to wait for bytes in place of the clients.
	 * @param settings settings of Spring Boot's clients
	 * @return the timeout, zero if the clients see to it or none is wanted
	 */
	Duration watchedReadTimeout(HttpClientSettings settings) {
		if (this.defaultReadTimeout == null) {
			return Duration.ZERO;
		}
		return (settings.readTimeout() != null) ? settings.readTimeout() : this.defaultReadTimeout;
	}

	ClientHttpRequestFactory client(HttpClientSettings settings) {
		return (this.defaultReadTimeout != null)
				? HttpComponentsTuning.forAnyMethod(this.builder.build(settings.withReadTimeout(null)))
				: this.builder.build(settings);
	}

	@Override
	public void destroy() {
		this.resources.run();
	}

}
