package io.gatewaybench.webmvc;

import java.util.Optional;

import io.gatewaybench.internal.tomcat.TomcatTuning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FormFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchangeHandlerFunction;
import org.springframework.cloud.gateway.server.mvc.handler.RestClientProxyExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What takes the place of the gateway's own beans, and what the application may have in
 * the place of ours.
 */
@ExtendWith(OutputCaptureExtension.class)
class GatewayBenchWebMvcAutoConfigurationTests {

	private static final String FEATURES = "io.gatewaybench.webmvc.FeatureProxyExchange";

	private static final String NO_INDEX = "could not put its index into Spring MVC's RouterFunctionMapping";

	private static final String NO_FEATURES = "No feature of gateway-bench works";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false");

	private final ProxyExchange exchange = new RestClientProxyExchange(RestClient.create(), new GatewayMvcProperties());

	@Test
	void theGatewayLeavesItsPlaceToOurBeans(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context.getBeansOfType(ProxyExchange.class)).containsOnlyKeys("gatewayBenchProxyExchange");
			assertThat(context.getBeansOfType(ProxyExchangeHandlerFunction.class))
				.containsOnlyKeys("gatewayBenchProxyExchangeHandler");
			assertThat(context.getBeansOfType(FormFilter.class)).containsOnlyKeys("gatewayBenchFormFilter");
			assertThat(exchangeOf(context.getBean(ProxyExchangeHandlerFunction.class)))
				.isSameAs(context.getBean(ProxyExchange.class));
		});
		assertThat(output).doesNotContain(NO_INDEX, NO_FEATURES);
	}

	@Test
	void whereTheStarterIsOffTheGatewayHasItsOwnBeans() {
		this.runner.withPropertyValues("gateway-bench.enabled=false").run((context) -> {
			assertThat(context.getBeansOfType(ProxyExchange.class)).containsOnlyKeys("restClientProxyExchange");
			assertThat(context.getBeansOfType(ProxyExchangeHandlerFunction.class))
				.containsOnlyKeys("proxyExchangeHandlerFunction");
			assertThat(context.getBeansOfType(FormFilter.class)).containsOnlyKeys("formFilter");
		});
	}

	@Test
	void theExchangeOfTheApplicationHasTheFeaturesAroundIt(CapturedOutput output) {
		this.runner.withBean("own", ProxyExchange.class, () -> this.exchange).run((context) -> {
			assertThat(context.getBeansOfType(ProxyExchange.class)).containsOnlyKeys("own");
			assertThat(exchangeOf(context.getBean(ProxyExchangeHandlerFunction.class)))
				.satisfies((decorated) -> assertThat(decorated.getClass().getName()).isEqualTo(FEATURES))
				.extracting("others")
				.isSameAs(this.exchange);
		});
		assertThat(output).doesNotContain(NO_FEATURES);
	}

	@Test
	void theHandlerOfTheApplicationGetsOurExchange(CapturedOutput output) {
		this.runner.withUserConfiguration(OwnHandler.class).run((context) -> {
			assertThat(context.getBeansOfType(ProxyExchangeHandlerFunction.class)).containsOnlyKeys("own");
			assertThat(exchangeOf(context.getBean("own")).getClass().getName()).isEqualTo(FEATURES);
		});
		assertThat(output).doesNotContain(NO_FEATURES);
	}

	@Test
	void anExchangeAndAHandlerOfTheApplicationLeaveNoPlaceForTheFeaturesAndAreToldOf(CapturedOutput output) {
		this.runner.withBean("own", ProxyExchange.class, () -> this.exchange)
			.withBean("handler", ProxyExchangeHandlerFunction.class, () -> handler(this.exchange))
			.run((context) -> assertThat(exchangeOf(context.getBean("handler"))).isSameAs(this.exchange));
		assertThat(output).containsOnlyOnce(NO_FEATURES);
	}

	private static ProxyExchangeHandlerFunction handler(ProxyExchange exchange) {
		StaticListableBeanFactory none = new StaticListableBeanFactory();
		ObjectProvider<RequestHttpHeadersFilter> requestFilters = none.getBeanProvider(RequestHttpHeadersFilter.class);
		ObjectProvider<ResponseHttpHeadersFilter> responseFilters = none
			.getBeanProvider(ResponseHttpHeadersFilter.class);
		return new ProxyExchangeHandlerFunction(exchange, requestFilters, responseFilters);
	}

	private static Object exchangeOf(Object handler) {
		return ReflectionTestUtils.getField(handler, ProxyExchangeHandlerFunction.class, "proxyExchange");
	}

	@Test
	void theFormFilterOfTheApplicationStays() {
		FormFilter own = new FormFilter();
		this.runner.withBean("own", FormFilter.class, () -> own)
			.run((context) -> assertThat(context.getBeansOfType(FormFilter.class)).containsOnlyKeys("own"));
	}

	@Test
	void aFormFilterThatIsOffStaysOff() {
		this.runner.withPropertyValues("spring.cloud.gateway.server.webmvc.form-filter.enabled=false")
			.run((context) -> assertThat(context.getBeansOfType(FormFilter.class)).isEmpty());
	}

	@Test
	void aBundleThatTheClientOfTheApplicationDoesNotUseIsToldAtWarn(CapturedOutput output) {
		WebApplicationContextRunner secured = this.runner.withPropertyValues(
				"spring.ssl.bundle.jks.orders.protocol=TLSv1.3",
				"gateway-bench.upstreams.orders.instances=https://localhost",
				"gateway-bench.upstreams.orders.ssl.bundle=orders");
		secured.run((context) -> assertThat(output).doesNotContain("The SSL bundles of"));
		secured.withBean(ClientHttpRequestFactory.class, SimpleClientHttpRequestFactory::new)
			.run((context) -> assertThat(output).contains("The SSL bundles of 'gateway-bench.upstreams' are not used"));
	}

	@Test
	void tomcatIsLeftAsItIsWhereNothingIsTuned() {
		this.runner.run((context) -> assertThat(context.getBeansOfType(TomcatTuning.class)).hasSize(1));
		this.runner.withPropertyValues("gateway-bench.server.tuned=false")
			.run((context) -> assertThat(context.getBeansOfType(TomcatTuning.class)).isEmpty());
	}

	@Test
	void tomcatIsNotNeeded() {
		this.runner.withClassLoader(new FilteredClassLoader("org.apache.catalina"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("gatewayBenchServerCustomizer"));
	}

	/**
	 * As if the host did not ask for routers as it does now.
	 */
	@Test
	void anIndexThatFindsNoPlaceIsToldOf(CapturedOutput output) {
		RouterFunction<ServerResponse> own = (request) -> Optional.empty();
		this.runner.withBean("own", BeanPostProcessor.class, () -> new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String beanName) {
				if (bean instanceof RouterFunctionMapping mapping) {
					mapping.setRouterFunction(own);
				}
				return bean;
			}

		})
			.run((context) -> assertThat(
					context.getBean("routerFunctionMapping", RouterFunctionMapping.class).getRouterFunction())
				.isSameAs(own));
		assertThat(output).containsOnlyOnce(NO_INDEX);
	}

	/**
	 * As if the gateway gave its router another name.
	 */
	@Test
	void routesOfPropertiesThatAreInOtherBeansAreToldOf(CapturedOutput output) {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(GatewayBenchWebMvcAutoConfigurationTests::rename))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("renamed"));
		assertThat(output).containsOnlyOnce("because the gateway keeps them in other beans");
	}

	private static void rename(ConfigurableListableBeanFactory beanFactory) {
		BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
		registry.registerBeanDefinition("renamed", registry.getBeanDefinition("gatewayCompositeRouterFunction"));
		registry.removeBeanDefinition("gatewayCompositeRouterFunction");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnHandler {

		@Bean
		ProxyExchangeHandlerFunction own(ProxyExchange exchange) {
			return handler(exchange);
		}

	}

}
