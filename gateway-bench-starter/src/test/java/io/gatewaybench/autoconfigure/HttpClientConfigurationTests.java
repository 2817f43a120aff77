package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.Timeout;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.config.HttpClientProperties.Pool;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which client requests go through, and that what the application says about it counts.
 */
@ExtendWith(OutputCaptureExtension.class)
class HttpClientConfigurationTests {

	private static final String REQUEST_FACTORY = "gatewayBenchRequestFactory";

	private static final ParameterizedTypeReference<List<HttpHeadersFilter>> NO_FILTERS = new ParameterizedTypeReference<>() {
	};

	private final WebApplicationContextRunner webMvc = new WebApplicationContextRunner()
		.withUserConfiguration(Gateways.Application.class)
		.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false");

	private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
		.withUserConfiguration(Gateways.Application.class);

	@ParameterizedTest
	@CsvSource({ "http-components, HttpComponentsClientHttpRequestFactory", "jetty, JettyClientHttpRequestFactory",
			"reactor, ReactorClientHttpRequestFactory", "jdk, JdkClientHttpRequestFactory",
			"simple, SimpleClientHttp" })
	void theClientIsTheOneThatSpringBootWouldTake(String factory, String type, CapturedOutput output) {
		this.webMvc.withPropertyValues("spring.http.clients.imperative.factory=" + factory).run((context) -> {
			Object tuned = withoutMethods(context.getBean(REQUEST_FACTORY));
			assertThat(tuned.getClass().getSimpleName()).startsWith(type);
			assertThat(context.getBean(ClientHttpRequestFactory.class)).isNotSameAs(tuned).hasSameClassAs(tuned);
			assertThat(output).containsOnlyOnce("Requests to upstreams go through ");
		});
	}

	/**
	 * What sends requests with other methods than Spring knows has one for the others.
	 */
	private static Object withoutMethods(Object factory) {
		return factory.getClass().getSimpleName().equals("AnyMethodRequestFactory")
				? ReflectionTestUtils.getField(factory, "known") : factory;
	}

	@Test
	void aRefreshTellsNothingNewOfAClientThatStaysAsItIs(CapturedOutput output) {
		this.webFlux.run((context) -> {
			context.publishEvent(new EnvironmentChangeEvent(context.getSourceApplicationContext(), Set.of()));
			assertThat(output).containsOnlyOnce("Requests to upstreams go through ");
		});
	}

	@Test
	void noClientNeedsToBeOnTheClassPath() {
		this.webMvc
			.withClassLoader(
					new FilteredClassLoader("org.apache.hc", "org.eclipse.jetty.client", "reactor.netty.http.client"))
			.run((context) -> assertThat(context.getBean(REQUEST_FACTORY))
				.isInstanceOf(JdkClientHttpRequestFactory.class));
	}

	@Test
	void theClientOfTheApplicationIsUsed() {
		ClientHttpRequestFactory own = new SimpleClientHttpRequestFactory();
		this.webMvc.withBean(ClientHttpRequestFactory.class, () -> own)
			.run((context) -> assertThatThereIsNoClientOfOurs(context));
	}

	@Test
	void theBuilderOfTheApplicationIsUsed() {
		this.webMvc.withBean(ClientHttpRequestFactoryBuilder.class, () -> ClientHttpRequestFactoryBuilder.simple())
			.run((context) -> assertThatThereIsNoClientOfOurs(context));
	}

	@Test
	void theExchangeOfTheApplicationIsUsed() {
		this.webMvc
			.withBean(ProxyExchange.class,
					() -> new RestClientProxyExchange(RestClient.create(), new GatewayMvcProperties()))
			.run((context) -> assertThatThereIsNoClientOfOurs(context));
	}

	@Test
	void notTunedTheGatewaysOwnClientIsUsed() {
		this.webMvc.withPropertyValues("gateway-bench.http-client.tuned=false")
			.run((context) -> assertThatThereIsNoClientOfOurs(context));
		this.webFlux.withPropertyValues("gateway-bench.http-client.tuned=false")
			.run((context) -> assertThat(context.getBean(HttpClientProperties.class).getPool().getType())
				.isEqualTo(Pool.PoolType.ELASTIC));
	}

	@Test
	void aCustomizerOfTheApplicationHasTheLastWord() {
		this.webMvc
			.withBean("mine", ClientHttpRequestFactoryBuilderCustomizer.class, HttpClientConfigurationTests::customizer)
			.run((context) -> assertThat(context.getBean(REQUEST_FACTORY))
				.extracting("known.httpClient.connManager.pool.defaultMaxPerRoute")
				.isEqualTo(7));
	}

	@Test
	void aCustomizerOfTheApplicationHasTheLastWordOnWebFluxToo() {
		this.webFlux
			.withBean("mine", HttpClientCustomizer.class,
					() -> (client) -> client.headers((headers) -> headers.set("X-Client", "mine")))
			.run((context) -> {
				assertThat(context.getBean(HttpClient.class).configuration().headers().get("X-Client"))
					.isEqualTo("mine");
				assertThat(context.getBean("gatewayBenchHttpClientCustomizer")).isInstanceOf(Ordered.class)
					.extracting((customizer) -> ((Ordered) customizer).getOrder())
					.isEqualTo(Ordered.HIGHEST_PRECEDENCE);
			});
	}

	private static ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> customizer() {
		return (builder) -> builder.withConnectionManagerCustomizer((manager) -> manager.setMaxConnPerRoute(7));
	}

	/**
	 * With one, each read would start a timer.
	 */
	@Test
	void noSocketOfApachesClientHasATimeoutOfItsOwn() {
		this.webMvc
			.withPropertyValues("spring.http.clients.read-timeout=7s",
					"gateway-bench.upstreams.service.instances=http://localhost")
			.run((context) -> {
				assertThatSocketsHaveNoTimeout(context.getBean(REQUEST_FACTORY));
				assertThat(context.getBean("gatewayBenchUpstreamRequestFactories"))
					.extracting("byConnectSettings",
							InstanceOfAssertFactories.map(ConnectSettings.class, ClientHttpRequestFactory.class))
					.hasSize(1)
					.values()
					.allSatisfy(HttpClientConfigurationTests::assertThatSocketsHaveNoTimeout);
			});
	}

	private static void assertThatSocketsHaveNoTimeout(Object requestFactory) {
		assertThat(requestFactory)
			.extracting("known.httpClient.connManager.socketConfigResolver",
					InstanceOfAssertFactories.type(Resolver.class))
			.extracting((sockets) -> ((SocketConfig) sockets.resolve(null)).getSoTimeout())
			.isEqualTo(Timeout.DISABLED);
		assertThat(requestFactory)
			.extracting("known.httpClient.connManager.connectionConfigResolver",
					InstanceOfAssertFactories.type(Resolver.class))
			.extracting((connections) -> ((ConnectionConfig) connections.resolve(null)).getSocketTimeout())
			.isNull();
	}

	@Test
	void theSettingsReachTheClients() {
		String[] properties = { "gateway-bench.http-client.max-connections-per-instance=3",
				"gateway-bench.http-client.max-connections=5", "gateway-bench.http-client.acquire-timeout=20ms",
				"gateway-bench.http-client.max-idle-time=1s", "gateway-bench.http-client.max-connection-age=3s" };
		this.webMvc.withPropertyValues(properties).run((context) -> {
			assertThat(context.getBean(ConnectionSettings.class)).isEqualTo(
					new ConnectionSettings(3, 5, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofSeconds(3)));
			assertThat(context.getBean(REQUEST_FACTORY)).extracting("known.httpClient.connManager.pool")
				.extracting("defaultMaxPerRoute", "maxTotal")
				.containsExactly(3, 5);
			assertThat(context.getBean(REQUEST_FACTORY))
				.extracting("known.httpClient.connManager.connectionConfigResolver",
						InstanceOfAssertFactories.type(Resolver.class))
				.extracting(
						(connections) -> ((ConnectionConfig) connections.resolve(null)).getTimeToLive().toDuration())
				.isEqualTo(Duration.ofSeconds(3));
		});
		this.webFlux.withPropertyValues(properties)
			.run((context) -> assertThat(context.getBean(HttpClientProperties.class).getPool())
				.extracting(Pool::getType, Pool::getMaxConnections, Pool::getAcquireTimeout, Pool::getMaxIdleTime,
						Pool::getMaxLifeTime)
				.containsExactly(Pool.PoolType.FIXED, 3, 20L, Duration.ofSeconds(1), Duration.ofSeconds(3)));
	}

	@Test
	void thePropertiesOfTheGatewayCountMoreThanOurs(CapturedOutput output) {
		String pool = "spring.cloud.gateway.server.webflux.httpclient.pool.";
		this.webFlux.withPropertyValues(pool + "max-connections=9", pool + "leasing-strategy=fifo").run((context) -> {
			assertThat(context.getBean(HttpClientProperties.class).getPool())
				.extracting(Pool::getType, Pool::getMaxConnections, Pool::getLeasingStrategy)
				.containsExactly(Pool.PoolType.FIXED, 9, Pool.LeasingStrategy.FIFO);
			assertThat(output).containsOnlyOnce("at most 9 connections to an instance");
		});
	}

	/**
	 * Otherwise the threads refuse to close the connections of the pool.
	 */
	@Test
	void thePoolIsClosedWithTheApplicationBeforeTheThreadsEnd() {
		AtomicReference<ConnectionProvider> pool = new AtomicReference<>();
		AtomicBoolean closed = new AtomicBoolean();
		ReactorResourceFactory threads = new ReactorResourceFactory() {

			@Override
			public void stop() {
				closed.set(pool.get().isDisposed());
				super.stop();
			}

		};
		threads.setUseGlobalResources(false);
		DisposableServer upstream = HttpServer.create()
			.host("127.0.0.1")
			.handle((request, response) -> response.send())
			.bindNow();
		try {
			this.webFlux.withBean("threads", ReactorResourceFactory.class, () -> threads).run((context) -> {
				HttpClient client = context.getBean(HttpClient.class);
				String address = "http://127.0.0.1:" + upstream.port();
				client.get().uri(address).response().block(Duration.ofSeconds(20));
				pool.set(client.configuration().connectionProvider());
				assertThat(pool.get().isDisposed()).isFalse();
			});
			assertThat(closed).isTrue();
		}
		finally {
			upstream.disposeNow();
		}
	}

	@Test
	void theClientWorksAgainAfterAPause() {
		DisposableServer upstream = HttpServer.create()
			.host("127.0.0.1")
			.handle((request, response) -> response.send())
			.bindNow();
		try {
			this.webFlux.run((context) -> {
				HttpClient client = context.getBean(HttpClient.class);
				String address = "http://127.0.0.1:" + upstream.port();
				client.get().uri(address).response().block(Duration.ofSeconds(20));
				SmartLifecycle lifecycle = context.getBean("gatewayBenchHttpClientCustomizer", SmartLifecycle.class);
				assertThat(lifecycle.isRunning()).isTrue();
				lifecycle.stop();
				assertThat(lifecycle.isRunning()).isFalse();
				lifecycle.start();
				assertThat(client.get().uri(address).response().block(Duration.ofSeconds(20))).isNotNull();
			});
		}
		finally {
			upstream.disposeNow();
		}
	}

	@Test
	void aRoutingFilterOfTheApplicationKeepsItsClient() {
		NettyRoutingFilter own = new NettyRoutingFilter(HttpClient.create(),
				new StaticListableBeanFactory().getBeanProvider(NO_FILTERS), new HttpClientProperties());
		this.webFlux.withBean("own", NettyRoutingFilter.class, () -> own).run((context) -> {
			assertThat(context.getBean("own")).isSameAs(own);
			assertThat(context.getBean("routingFilter")).isInstanceOf(NettyRoutingFilter.class)
				.isNotExactlyInstanceOf(NettyRoutingFilter.class);
		});
	}

	private static void assertThatThereIsNoClientOfOurs(ApplicationContext context) {
		assertThat(context.getBeansOfType(ProxyExchange.class)).hasSize(1);
		assertThat(context.containsBean(REQUEST_FACTORY)).isFalse();
	}

}
