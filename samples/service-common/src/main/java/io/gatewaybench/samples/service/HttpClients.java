package io.gatewaybench.samples.service;

import java.net.http.HttpClient;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpComponentsHttpAsyncClientBuilder;
import org.springframework.boot.http.client.JdkHttpClientBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The clients for downstream services that both flavours use.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServicesProperties.class)
public class HttpClients {

	/**
	 * Most connections to a downstream service, so that none of the 10,000 users of P4
	 * waits for the connection of another. P5 needs 800. The defaults are 5 with Apache's
	 * clients and 500 with Reactor Netty's; the JDK's client has no limit.
	 */
	public static final int MAX_CONNECTIONS = 10_000;

	@Bean(destroyMethod = "shutdownNow")
	HttpClient javaClient(HttpClientSettings settings) {
		// By default it asks with every request whether to change to HTTP/2, where all
		// requests would share one connection and its limit of streams
		return new JdkHttpClientBuilder().withCustomizer((client) -> client.version(HttpClient.Version.HTTP_1_1))
			// Its requests have a read timeout, and the client has none
			.build(settings.withReadTimeout(null));
	}

	@Bean(initMethod = "start")
	CloseableHttpAsyncClient apacheAsyncClient(HttpClientSettings settings) {
		return new HttpComponentsHttpAsyncClientBuilder()
			// It would ask once more a second after a 503, which the other clients don't
			.withCustomizer(HttpAsyncClientBuilder::disableAutomaticRetries)
			.withConnectionManagerCustomizer(
					(pool) -> pool.setMaxConnTotal(MAX_CONNECTIONS).setMaxConnPerRoute(MAX_CONNECTIONS))
			.build(settings);
	}

}
