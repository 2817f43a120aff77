package io.gatewaybench.autoconfigure.webmvc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.TrustedClients;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.ClientInUse;
import io.gatewaybench.upstream.ConnectSettings;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.upstream.DeadlineTimer;
import io.gatewaybench.webmvc.GatewayFilters;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.thread.Threading;
import org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilterProperties;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchangeHandlerFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.observation.ClientRequestObservationConvention;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.web.client.RestClient;

/**
 * Auto-configuration of the exchange with upstreams on WebMVC. It comes before the
 * gateway, which then has no exchange of its own; and after the client, which has to know
 * whether the application has one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayServerMvcAutoConfiguration.class,
		after = { GatewayBenchWebMvcAutoConfiguration.class, GatewayBenchWebMvcHttpClientAutoConfiguration.class })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = { GatewayMvcProperties.PREFIX + ".enabled", "gateway-bench.enabled" },
		matchIfMissing = true)
@ConditionalOnBean(Flavour.class)
public final class GatewayBenchWebMvcExchangeAutoConfiguration {

	private static final Log logger = LogFactory.getLog(GatewayBenchWebMvcExchangeAutoConfiguration.class);

	private static final String EXCHANGE = "gatewayBenchProxyExchange";

	private static final String HANDLER = "gatewayBenchProxyExchangeHandler";

	GatewayBenchWebMvcExchangeAutoConfiguration() {
	}

	@Bean
	GatewayFilters gatewayBenchFilters(FilterSettings settings, Upstreams upstreams,
			ObjectProvider<GatewayMetrics> metrics, GatewayObservations observations, DeadlineTimer timer,
			Environment environment) {
		return new GatewayFilters(settings, upstreams, GatewayMetrics.composite(metrics.orderedStream().toList()),
				observations, timer, executor(Threading.VIRTUAL.isActive(environment)));
	}

	@Bean
	OpenRequestsLifecycle gatewayBenchOpenRequests(GatewayFilters filters, Environment environment) {
		return new OpenRequestsLifecycle(filters,
				"graceful".equalsIgnoreCase(environment.getProperty("server.shutdown", "graceful")));
	}

	/**
	 * A thread waits for one client, so there are no more threads than requests.
	 */
	private static Executor executor(boolean virtual) {
		if (virtual) {
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
	ProxyExchange gatewayBenchProxyExchange(GatewayFilters filters, GatewayObservations observations,
			RestClient.Builder client,
			@Qualifier(GatewayBenchWebMvcHttpClientAutoConfiguration.REQUEST_FACTORY) ObjectProvider<ClientHttpRequestFactory> requestFactory,
			ObjectProvider<UpstreamRequestFactories> upstreamFactories, GatewayMvcProperties properties) {
		RestClient others = client.clone().build();
		if (observations.isOn()) {
			// An attempt would be observed twice
			client.observationRegistry(ObservationRegistry.NOOP);
		}
		Duration readTimeout = Duration.ZERO;
		Map<ConnectSettings, RestClient> byConnectSettings = new HashMap<>();
		UpstreamRequestFactories factories = upstreamFactories.getIfAvailable();
		if (factories != null) {
			readTimeout = factories.readTimeout();
			factories.byConnectSettings()
				.forEach((settings, factory) -> byConnectSettings.put(settings,
						client.clone().requestFactory(factory).build()));
		}
		return filters.exchange(others, () -> {
			requestFactory.ifAvailable(client::requestFactory);
			return client.build();
		}, readTimeout, byConnectSettings, properties);
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
	ProxyExchangeHandlerFunction gatewayBenchProxyExchangeHandler(GatewayFilters filters, ProxyExchange exchange,
			ObjectProvider<RequestHttpHeadersFilter> requestFilters,
			ObjectProvider<ResponseHttpHeadersFilter> responseFilters, GatewayMvcProperties properties,
			XForwardedRequestHeadersFilterProperties xForwarded) {
		return filters.handler(exchange, requestFilters, responseFilters,
				new TrustedClients(properties.getTrustedProxies()), xForwarded);
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
			if (!beans.containsBean(EXCHANGE) && !beans.containsBean(HANDLER)) {
				logger.warn("No feature of gateway-bench works, because the application has both a ProxyExchange and a"
						+ " ProxyExchangeHandlerFunction of its own. Remove one of them, or set gateway-bench.enabled"
						+ " to false");
			}
		};
	}

}
