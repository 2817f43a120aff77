package io.gatewaybench.autoconfigure.webmvc;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * What makes the clients. A builder that is a bean of its own would be everybody's.
 *
 * @param builder the builder, set up for a gateway
 * @param defaultReadTimeout how long its clients would wait for bytes if nobody told
 * them, where the starter waits in their place; {@code null} where they do it themselves
 * @param resources closes what its clients share
 */
record TunedClient(ClientHttpRequestFactoryBuilder<?> builder, @Nullable Duration defaultReadTimeout,
		Runnable resources) implements DisposableBean {

	TunedClient(ClientHttpRequestFactoryBuilder<?> builder) {
		this(builder, null);
	}

	TunedClient(ClientHttpRequestFactoryBuilder<?> builder, @Nullable Duration defaultReadTimeout) {
		this(builder, defaultReadTimeout, () -> {
		});
	}

	TunedClient with(ClientHttpRequestFactoryBuilder<?> customized) {
		return new TunedClient(customized, this.defaultReadTimeout, this.resources);
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
