package io.gatewaybench.autoconfigure.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.webflux.GatewayFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

/**
 * Auto-configuration of the filters for the WebFlux gateway.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = GatewayBenchAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RoutePredicateHandlerMapping.class)
@ConditionalOnBooleanProperty(name = GatewayProperties.PREFIX + ".enabled", matchIfMissing = true)
@ImportRuntimeHints(GatewayBenchWebFluxAutoConfiguration.Hints.class)
public final class GatewayBenchWebFluxAutoConfiguration {

	GatewayBenchWebFluxAutoConfiguration() {
	}

	@Bean
	Flavour gatewayBenchFlavour() {
		return Flavour.WEBFLUX;
	}

	@Bean
	GatewayFilterFactory<?> stripGatewayPrefixFilterFactory() {
		return GatewayFilters.request(Feature.STRIP_PREFIX);
	}

	@Bean
	GatewayFilterFactory<?> addGatewayHeadersFilterFactory() {
		return GatewayFilters.request(Feature.HEADERS);
	}

	@Bean
	GatewayFilterFactory<?> injectGatewayMetadataFilterFactory() {
		return GatewayFilters.request(Feature.BODY_REWRITE);
	}

	@Bean
	GatewayFilterFactory<?> recordGatewayMetricsFilterFactory() {
		return GatewayFilters.request(Feature.METRICS);
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			GatewayFilters.registerHints(hints);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
	static class WebConfiguration {

		@Bean
		WebFilter gatewayBenchExchangeFilter(GatewayFilters filters) {
			return filters.exchange();
		}

		@Bean
		@ConditionalOnMissingBean(name = "gatewayBenchErrorHandler")
		WebExceptionHandler gatewayBenchErrorHandler() {
			return GatewayFilters.upstreamErrors();
		}

		/**
		 * Customizers of the application may add handlers before.
		 */
		@Bean
		@Order
		WebHttpHandlerBuilderCustomizer gatewayBenchErrorHandlers() {
			return (builder) -> builder.exceptionHandlers(GatewayFilters::combine);
		}

	}

}
