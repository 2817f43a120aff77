package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.TrustedClients;
import io.gatewaybench.internal.tomcat.TomcatTuning;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
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
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilterProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchangeHandlerFunction;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.observation.ClientRequestObservationConvention;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.client.RestClient;

/**
 * Auto-configuration of what is behind the WebMVC gateway: the exchange with upstreams,
 * and the client. It comes before the gateway, which then has no exchange of its own; and
 * before Spring Boot's client, to tell whether the application brings its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { GatewayServerMvcAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class },
		after = GatewayBenchWebMvcAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebMvcUpstreamAutoConfiguration {

	private static final Log logger = LogFactory.getLog(GatewayBenchWebMvcUpstreamAutoConfiguration.class);

	private static final String EXCHANGE = "gatewayBenchProxyExchange";

	private static final String REQUEST_FACTORY = "gatewayBenchRequestFactory";

	private static final String HANDLER = "gatewayBenchProxyExchangeHandler";

	GatewayBenchWebMvcUpstreamAutoConfiguration() {
	}

	/**
	 * A thread waits for one client, so there are no more threads than requests.
	 */
	private static Executor executor(Environment environment) {
		if (Threading.VIRTUAL.isActive(environment)) {
			return new VirtualThreadTaskExecutor("gateway-bench-");
		}
		CustomizableThreadFactory threads = new CustomizableThreadFactory("gateway-bench-");
		threads.setDaemon(true);
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
	}

	@Bean
	@ConditionalOnMissingBean
	ClientRequestObservationConvention gatewayBenchObservationConvention(Environment environment) {
		return new RegisteredMethods(
				environment.getProperty("management.observations.http.client.requests.name", "http.client.requests"));
	}

	@Bean(name = EXCHANGE)
	@ConditionalOnMissingBean
	ProxyExchange gatewayBenchProxyExchange(FilterSettings settings, Upstreams upstreams, Exchanges exchanges,
			Mirrors mirrors, RestClient.Builder client,
			@Qualifier(REQUEST_FACTORY) ObjectProvider<ClientHttpRequestFactory> requestFactory,
			ObjectProvider<UpstreamRequestFactories> upstreamFactories, ObjectProvider<WebSocketClients> webSockets,
			GatewayMvcProperties properties, Environment environment) {
		RestClient others = client.clone().build();
		if (exchanges.observations().isOn()) {
			// An attempt would be observed twice
			client.observationRegistry(ObservationRegistry.NOOP);
		}
		Duration readTimeout = Duration.ZERO;
		Map<ConnectSettings, ProxyExchange> byConnectSettings = new HashMap<>();
		UpstreamRequestFactories factories = upstreamFactories.getIfAvailable();
		if (factories != null) {
			readTimeout = factories.readTimeout();
			factories.byConnectSettings()
				.forEach((connect, factory) -> byConnectSettings.put(connect,
						new UpstreamExchange(client.clone().requestFactory(factory).build(), properties)));
		}
		// Most gateways have no route that needs this client
		Supplier<ProxyExchange> direct = SingletonSupplier.of(() -> {
			requestFactory.ifAvailable(client::requestFactory);
			return new UpstreamExchange(client.build(), properties);
		});
		return new FeatureProxyExchange(new RestClientProxyExchange(others, properties), direct, readTimeout,
				byConnectSettings, settings, upstreams, exchanges, mirrors, executor(environment),
				webSockets.getIfAvailable(() -> new WebSocketClients(Map.of())).clients());
	}

	@Bean
	ClientInUse gatewayBenchClientInUse(ObjectProvider<TunedClient> client,
			ObjectProvider<HttpClientSettings> settings) {
		TunedClient tuned = client.getIfAvailable();
		return new ClientInUse((tuned != null) ? tuned.limits() : ClientInUse.Limits.UNKNOWN, () -> {
			HttpClientSettings known = settings.getIfAvailable();
			SslBundle bundle = (known != null) ? known.sslBundle() : null;
			return (bundle != null) ? bundle.createSslContext() : null;
		});
	}

	/**
	 * Puts the features around the exchange of the application, too.
	 */
	@Bean(name = HANDLER)
	@ConditionalOnMissingBean
	ProxyExchangeHandlerFunction gatewayBenchProxyExchangeHandler(ProxyExchange exchange, FilterSettings settings,
			Upstreams upstreams, Exchanges exchanges, Mirrors mirrors,
			ObjectProvider<RequestHttpHeadersFilter> requestFilters,
			ObjectProvider<ResponseHttpHeadersFilter> responseFilters, GatewayMvcProperties properties,
			XForwardedRequestHeadersFilterProperties xForwarded, Environment environment) {
		ProxyExchange decorated = (exchange instanceof FeatureProxyExchange) ? exchange
				: new FeatureProxyExchange(exchange, () -> exchange, Duration.ZERO, Map.of(), settings, upstreams,
						exchanges, mirrors, executor(environment), Map.of());
		return new UpstreamHandler(decorated, HeadersFilters.requestFilters(requestFilters,
				(request, url) -> ServletExchange.begin(request, exchanges).route(request, url, settings.scope()),
				new TrustedClients(properties.getTrustedProxies()), xForwarded),
				HeadersFilters.responseFilters(responseFilters));
	}

	@Bean
	SmartInitializingSingleton gatewayBenchProxyExchangeCheck(ListableBeanFactory beans, Upstreams upstreams) {
		return () -> {
			boolean ownClient = !beans.containsBean(EXCHANGE)
					|| beans.getBeansOfType(UpstreamRequestFactories.class).isEmpty();
			if (ownClient && upstreams.all().stream().anyMatch((upstream) -> upstream.connect().sslBundle() != null)) {
				logger.warn("The SSL bundles of 'gateway-bench.upstreams' are not used, because the application has a"
						+ " client for upstreams of its own. Give the certificates to that client, or remove it");
			}
			for (Upstream upstream : upstreams.all()) {
				if (ownClient && upstream.connect().http2()) {
					throw UpstreamRequestFactories.noHttp2(upstream, "The application has a client for upstreams of its"
							+ " own, and only the starter's speaks HTTP/2. Remove that client, or write http1.");
				}
			}
			if (!beans.containsBean(EXCHANGE) && !beans.containsBean(HANDLER)) {
				logger.warn("No feature of gateway-bench works, because the application has both a ProxyExchange and a"
						+ " ProxyExchangeHandlerFunction of its own. Remove one of them, or set gateway-bench.enabled"
						+ " to false");
			}
		};
	}

	/**
	 * Exchanges for requests that ask for a WebSocket.
	 */
	record WebSocketClients(Map<ConnectSettings, ProxyExchange> clients) {
	}

	/**
	 * Only Tomcat gives the connection of a client away.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(InternalHttpUpgradeHandler.class)
	@ConditionalOnBooleanProperty(name = "gateway-bench.web-sockets.enabled", matchIfMissing = true)
	static class WebSocketConfiguration {

		@Bean
		WebSocketClients gatewayBenchWebSocketClients(WebSockets all, Upstreams upstreams, Exchanges exchanges,
				RestClient.Builder client, ObjectProvider<SslBundles> bundles, ClientInUse usual, OpenRequests open,
				GatewayMvcProperties properties, Environment environment) {
			if (exchanges.observations().isOn()) {
				client.observationRegistry(ObservationRegistry.NOOP);
			}
			// No other client is ever asked
			client.requestFactory((url, method) -> {
				throw new IllegalStateException();
			});
			Executor executor = executor(environment);
			Map<ConnectSettings, ProxyExchange> clients = new HashMap<>();
			for (Upstream upstream : upstreams.all()) {
				clients.computeIfAbsent(upstream.connect(), (connect) -> {
					HandshakeClient handshakes = new HandshakeClient(connect.timeout(),
							SingletonSupplier.of(() -> certificates(connect.sslBundle(), bundles, usual)),
							TomcatTuning.maxUpstreamHeadSize(environment), all, open, executor);
					return new UpstreamExchange(client.clone().requestInterceptor(handshakes).build(), properties);
				});
			}
			return new WebSocketClients(clients);
		}

		private static SSLSocketFactory certificates(@Nullable String bundle, ObjectProvider<SslBundles> bundles,
				ClientInUse usual) {
			SSLContext own = (bundle != null) ? bundles.getObject().getBundle(bundle).createSslContext()
					: usual.certificates().get();
			return (own != null) ? own.getSocketFactory() : (SSLSocketFactory) SSLSocketFactory.getDefault();
		}

	}

	/**
	 * The client that Spring Boot finds on the class path, set up for a gateway. It is a
	 * client of its own, so that nothing changes for other users of Spring Boot's. Spring
	 * looks at this class before the methods of the one around it, so an exchange that is
	 * there is the application's.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ClientHttpRequestFactoryBuilder.class)
	@ConditionalOnBooleanProperty(name = "gateway-bench.http-client.tuned", matchIfMissing = true)
	@ConditionalOnMissingBean({ ProxyExchange.class, ClientHttpRequestFactory.class,
			ClientHttpRequestFactoryBuilder.class })
	static class ClientConfiguration {

		@Bean(name = REQUEST_FACTORY, defaultCandidate = false)
		@Lazy
		ClientHttpRequestFactory gatewayBenchRequestFactory(TunedClient client, HttpClientSettings settings) {
			return client.client(settings);
		}

		@Bean
		@Lazy
		UpstreamRequestFactories gatewayBenchUpstreamRequestFactories(Upstreams upstreams, TunedClient client,
				HttpClientSettings settings, ConnectionSettings connections, ObjectProvider<SslBundles> bundles) {
			return new UpstreamRequestFactories(upstreams, client, settings, connections,
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

		private static ClientHttpRequestFactoryBuilder<?> builder(
				ImperativeHttpClientsProperties.@Nullable Factory factory, ResourceLoader resourceLoader) {
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

}
