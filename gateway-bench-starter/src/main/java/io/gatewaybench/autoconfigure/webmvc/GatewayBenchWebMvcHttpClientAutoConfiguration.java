package io.gatewaybench.autoconfigure.webmvc;

import java.util.List;

import io.gatewaybench.upstream.ConnectionSettings;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientsProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Auto-configuration of the client for the starter's routes on WebMVC: the one that
 * Spring Boot finds on the class path, set up for a gateway. It is a client of its own,
 * so that nothing changes for other users of Spring Boot's. Comes before Spring Boot's,
 * to tell whether the application brings its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ImperativeHttpClientAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ ProxyExchange.class, ClientHttpRequestFactoryBuilder.class })
@ConditionalOnBooleanProperty(
		name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled", "gateway-bench.http-client.tuned" },
		matchIfMissing = true)
@ConditionalOnMissingBean({ ProxyExchange.class, ClientHttpRequestFactory.class,
		ClientHttpRequestFactoryBuilder.class })
public final class GatewayBenchWebMvcHttpClientAutoConfiguration {

	static final String REQUEST_FACTORY = "gatewayBenchRequestFactory";

	GatewayBenchWebMvcHttpClientAutoConfiguration() {
	}

	@Bean(name = REQUEST_FACTORY, defaultCandidate = false)
	@Lazy
	ClientHttpRequestFactory gatewayBenchRequestFactory(TunedClient client, HttpClientSettings settings) {
		return client.client(settings);
	}

	@Bean
	@Lazy
	UpstreamRequestFactories gatewayBenchUpstreamRequestFactories(Upstreams upstreams, TunedClient client,
			HttpClientSettings settings, ObjectProvider<SslBundles> bundles) {
		return new UpstreamRequestFactories(upstreams, client, settings,
				(bundle) -> bundles.getObject().getBundle(bundle));
	}

	@Bean
	@Lazy
	TunedClient gatewayBenchTunedClient(ConnectionSettings connections, ImperativeHttpClientsProperties properties,
			ResourceLoader resourceLoader, Environment environment,
			ObjectProvider<ClientHttpRequestFactoryBuilderCustomizer<?>> customizers) {
		ClientHttpRequestFactoryBuilder<?> detected = builder(properties.getFactory(), resourceLoader);
		TunedClient tuned = TunedClient.of(detected, connections, environment);
		return tuned.with(customize(tuned.builder(), customizers.orderedStream().toList()));
	}

	private static ClientHttpRequestFactoryBuilder<?> builder(ImperativeHttpClientsProperties.@Nullable Factory factory,
			ResourceLoader resourceLoader) {
		if (factory == null) {
			return ClientHttpRequestFactoryBuilder.detect(resourceLoader.getClassLoader());
		}
		return switch (factory) {
			case HTTP_COMPONENTS -> ClientHttpRequestFactoryBuilder.httpComponents();
			case JETTY -> ClientHttpRequestFactoryBuilder.jetty();
			case REACTOR -> ClientHttpRequestFactoryBuilder.reactor();
			case JDK -> ClientHttpRequestFactoryBuilder.jdk();
			case SIMPLE -> ClientHttpRequestFactoryBuilder.simple();
		};
	}

	@SuppressWarnings("unchecked")
	private static ClientHttpRequestFactoryBuilder<?> customize(ClientHttpRequestFactoryBuilder<?> builder,
			List<ClientHttpRequestFactoryBuilderCustomizer<?>> customizers) {
		ClientHttpRequestFactoryBuilder<?>[] customized = { builder };
		LambdaSafe.callbacks(ClientHttpRequestFactoryBuilderCustomizer.class, customizers, builder)
			.invoke((customizer) -> customized[0] = customizer.customize(customized[0]));
		return customized[0];
	}

}
