package io.gatewaybench.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.autoconfigure.GatewayBenchAutoConfiguration;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.tomcat.TomcatTuning;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Auto-configuration of what is in front of the WebMVC gateway: the names of the
 * features, the outermost filter, forms and uploads, and the server. It comes before the
 * gateway, which then has no filter of forms of its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { GatewayBenchAutoConfiguration.class, GatewayServerMvcAutoConfiguration.class },
		beforeName = "org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration")
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(ProxyExchange.class)
@ConditionalOnBooleanProperty(name = GatewayMvcProperties.PREFIX + ".enabled", matchIfMissing = true)
@ImportRuntimeHints(GatewayBenchWebMvcAutoConfiguration.Hints.class)
public final class GatewayBenchWebMvcAutoConfiguration {

	GatewayBenchWebMvcAutoConfiguration() {
	}

	@Bean
	Flavour gatewayBenchFlavour() {
		return Flavour.WEBMVC;
	}

	/**
	 * Also where the starter is off, as routes that ask for its filters would stop the
	 * start.
	 */
	@Bean
	FilterSupplier gatewayBenchFilterSupplier() {
		return new SimpleFilterSupplier(GatewayFilterFunctions.class);
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			RouterList.registerHints(hints);
			ApacheClient.registerHints(hints, classLoader);
			// The gateway calls its methods by their names
			hints.reflection().registerType(GatewayFilterFunctions.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "gateway-bench.enabled", matchIfMissing = true)
	static class ServletConfiguration {

		@Bean
		FilterRegistrationBean<Filter> gatewayBenchExchangeFilter(Exchanges exchanges, OpenRequests open) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					new ExchangeFilter(exchanges, open));
			registration.setName("gatewayBenchExchangeFilter");
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
			registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.INCLUDE,
					DispatcherType.ASYNC);
			registration.setAsyncSupported(true);
			return registration;
		}

		@Bean
		OpenRequests gatewayBenchOpenRequests(DeadlineTimer timer, Environment environment) {
			return new OpenRequests(timer,
					"graceful".equalsIgnoreCase(environment.getProperty("server.shutdown", "graceful")));
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnBooleanProperty(name = GatewayMvcProperties.PREFIX + ".form-filter.enabled",
				matchIfMissing = true)
		FormFilter gatewayBenchFormFilter() {
			return new RawFormFilter();
		}

		/**
		 * Only where the application takes uploads, as in Spring Boot.
		 */
		@Bean(name = DispatcherServlet.MULTIPART_RESOLVER_BEAN_NAME)
		@ConditionalOnMissingBean(MultipartResolver.class)
		@ConditionalOnBooleanProperty("spring.servlet.multipart.enabled")
		MultipartResolver gatewayBenchMultipartResolver(Environment environment) {
			PartsResolver resolver = new PartsResolver();
			resolver.setStrictServletCompliance(environment
				.getProperty("spring.servlet.multipart.strict-servlet-compliance", boolean.class, false));
			return resolver;
		}

		@Bean
		@ConditionalOnMissingBean(name = "gatewayBenchErrorHandler")
		HandlerExceptionResolver gatewayBenchErrorHandler() {
			return new UpstreamErrorResolver();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Connector.class, ConfigurableTomcatWebServerFactory.class })
	@ConditionalOnBooleanProperty(name = { "gateway-bench.enabled", "gateway-bench.server.tuned" },
			matchIfMissing = true)
	static class ServerConfiguration {

		@Bean
		static TomcatTuning gatewayBenchServerCustomizer(Environment environment) {
			return new TomcatTuning(environment);
		}

	}

}
