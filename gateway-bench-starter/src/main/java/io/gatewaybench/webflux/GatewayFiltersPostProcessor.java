package io.gatewaybench.webflux;

import java.util.List;

import javax.net.ssl.SSLException;

import io.gatewaybench.internal.filter.TrustedClients;
import io.micrometer.observation.ObservationRegistry;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;

/**
 * Replaces filters of the gateway that cost more than the starter's requests need. The
 * gateway has no condition that an application could use to leave them out. Filters of
 * the application stay, such as one that sends requests with a client of its own.
 */
final class GatewayFiltersPostProcessor implements BeanPostProcessor {

	private static final String ROUTING_FILTER = "routingFilter";

	private final TrustedClients trusted;

	private final ObjectProvider<HttpClient> client;

	private final ObjectProvider<List<HttpHeadersFilter>> headersFilters;

	private final ObjectProvider<HttpClientProperties> properties;

	private final ObjectProvider<SslBundles> bundles;

	private final ObjectProvider<ObservationRegistry> observations;

	private final ObjectProvider<GatewayObservationConvention> convention;

	GatewayFiltersPostProcessor(ObjectProvider<HttpClient> client,
			ObjectProvider<List<HttpHeadersFilter>> headersFilters, ObjectProvider<HttpClientProperties> properties,
			ObjectProvider<SslBundles> bundles, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<GatewayObservationConvention> convention, TrustedClients trusted) {
		this.trusted = trusted;
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
					(bundle) -> context(this.bundles.getObject().getBundle(bundle)));
		}
		if (bean.getClass() == ObservedRequestHttpHeadersFilter.class) {
			return new HeadersFilters.Observed(this.observations.getObject(), this.convention.getIfAvailable());
		}
		if (bean instanceof HttpHeadersFilter headersFilter) {
			return HeadersFilters.of(headersFilter, this.trusted);
		}
		return (bean instanceof GlobalFilter globalFilter) ? UpstreamUrlFilter.of(globalFilter) : bean;
	}

	private static SslContext context(SslBundle bundle) {
		SslOptions options = bundle.getOptions();
		try {
			return SslContextBuilder.forClient()
				.keyManager(bundle.getManagers().getKeyManagerFactory())
				.trustManager(bundle.getManagers().getTrustManagerFactory())
				.ciphers(SslOptions.asSet(options.getCiphers()))
				.protocols(options.getEnabledProtocols())
				// Otherwise any certificate of a trusted authority would do
				.endpointIdentificationAlgorithm("HTTPS")
				.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("The SSL bundle can't be used: " + ex.getMessage(), ex);
		}
	}

}
