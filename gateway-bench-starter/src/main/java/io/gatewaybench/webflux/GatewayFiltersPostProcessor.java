package io.gatewaybench.webflux;

import java.util.List;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.TrustedClients;
import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.internal.upstream.ConnectSettings;
import io.micrometer.observation.ObservationRegistry;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.WebsocketRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;

/**
 * Replaces filters of the gateway that cost more than the starter's requests need. The
 * gateway has no condition that an application could use to leave them out. Filters of
 * the application stay, such as one that sends requests with a client of its own.
 */
final class GatewayFiltersPostProcessor implements BeanPostProcessor {

	private static final String ROUTING_FILTER = "routingFilter";

	private final TrustedClients trusted;

	private final boolean webSockets;

	private final ObjectProvider<HttpClient> client;

	private final ObjectProvider<List<HttpHeadersFilter>> headersFilters;

	private final ObjectProvider<HttpClientProperties> properties;

	private final ObjectProvider<SslBundles> bundles;

	private final ObjectProvider<ObservationRegistry> observations;

	private final ObjectProvider<GatewayObservationConvention> convention;

	GatewayFiltersPostProcessor(ObjectProvider<HttpClient> client,
			ObjectProvider<List<HttpHeadersFilter>> headersFilters, ObjectProvider<HttpClientProperties> properties,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<GatewayObservationConvention> convention, TrustedClients trusted, boolean webSockets) {
		this.trusted = trusted;
		this.webSockets = webSockets;
		this.client = client;
		this.headersFilters = headersFilters;
		this.properties = properties;
		this.bundles = bundles;
		this.observations = observations;
		this.convention = convention;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean.getClass() == NettyRoutingFilter.class && beanName.equals(ROUTING_FILTER)) {
			return new UpstreamRoutingFilter(this.client.getObject(), this.headersFilters, this.properties.getObject(),
					this::connected);
		}
		if (this.webSockets && bean.getClass() == WebsocketRoutingFilter.class) {
			return new OtherWebSockets((WebsocketRoutingFilter) bean);
		}
		if (bean.getClass() == ObservedRequestHttpHeadersFilter.class) {
			return new HeadersFilters.Observed(this.observations.getObject(), this.convention.getIfAvailable());
		}
		if (bean instanceof HttpHeadersFilter headersFilter) {
			return HeadersFilters.of(headersFilter, this.trusted);
		}
		return (bean instanceof GlobalFilter globalFilter) ? UpstreamUrlFilter.of(globalFilter) : bean;
	}

	/**
	 * WebSockets on routes without an upstream of the starter.
	 */
	private record OtherWebSockets(WebsocketRoutingFilter delegate) implements GlobalFilter, Ordered {

		@Override
		public int getOrder() {
			return this.delegate.getOrder();
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			GatewayExchange state = ExchangeFilter.find(exchange);
			return (state != null && state.upstream().call() != null) ? chain.filter(exchange)
					: this.delegate.filter(exchange, chain);
		}

	}

	private HttpClient connected(HttpClient client, ConnectSettings connect) {
		SslContextBuilder certificates = certificates(connect.sslBundle());
		if (connect.http2()) {
			return TunedNetty.http2(client, certificates);
		}
		SslContext context = TunedNetty.context(certificates);
		return client.secure((spec) -> spec.sslContext(context));
	}

	/**
	 * Without a bundle, those of the gateway's client.
	 */
	private SslContextBuilder certificates(@Nullable String bundle) {
		if (bundle != null) {
			return certificates(this.bundles.getObject().getBundle(bundle));
		}
		SslContextBuilder own = new ClientCertificates(this.properties.getObject().getSsl(),
				this.bundles.getIfAvailable(DefaultSslBundleRegistry::new))
			.builder();
		return (own != null) ? own : SslContextBuilder.forClient();
	}

	private static SslContextBuilder certificates(SslBundle bundle) {
		SslOptions options = bundle.getOptions();
		return TunedNetty.certificates(bundle.getManagers().getKeyManagerFactory(),
				bundle.getManagers().getTrustManagerFactory(), SslOptions.asSet(options.getCiphers()),
				options.getEnabledProtocols());
	}

}
