package io.gatewaybench.autoconfigure.webmvc;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;

/**
 * What makes the clients. A builder that is a bean of its own would be everybody's.
 *
 * @param builder the builder, set up for a gateway
 * @param resources closes what its clients share
 */
record TunedClient(ClientHttpRequestFactoryBuilder<?> builder, Runnable resources) implements DisposableBean {

	TunedClient(ClientHttpRequestFactoryBuilder<?> builder) {
		this(builder, () -> {
		});
	}

	TunedClient with(ClientHttpRequestFactoryBuilder<?> customized) {
		return new TunedClient(customized, this.resources);
	}

	@Override
	public void destroy() {
		this.resources.run();
	}

}
