package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import io.gatewaybench.webflux.GatewayBenchWebFluxAutoConfiguration;
import io.gatewaybench.webmvc.GatewayBenchWebMvcAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource(Flavour.class)
class GatewayBenchAutoConfigurationTests {

	private static final String[] NAMES_ON_WEBFLUX = { "StripGatewayPrefix", "AddGatewayHeaders",
			"InjectGatewayMetadata", "RecordGatewayMetrics" };

	private static final String[] NAMES_ON_WEBMVC = { "stripGatewayPrefix", "addGatewayHeaders",
			"injectGatewayMetadata", "recordGatewayMetrics" };

	@Parameter
	Flavour flavour;

	@TempDir
	Path directory;

	@Test
	void theGatewayGetsTheFiltersOfItsFlavour() {
		runner().run((context) -> {
			assertThat(context.getBean(Flavour.class)).isEqualTo(this.flavour);
			assertThat(context.getBeansOfType(GatewayBenchWebFluxAutoConfiguration.class).isEmpty())
				.isEqualTo(this.flavour == Flavour.WEBMVC);
			assertThat(context.getBeansOfType(GatewayBenchWebMvcAutoConfiguration.class).isEmpty())
				.isEqualTo(this.flavour == Flavour.WEBFLUX);
			assertThat(context.containsBean("gatewayBenchExchangeFilter")).isTrue();
			assertThatTheNamedFiltersAreThere(context);
		});
	}

	@Test
	void withoutYamlThereAreNoRoutesAndNoRouteHasAFeature() {
		runner().run((context) -> {
			assertThat(context.getBean(GatewayRoutes.class).routes()).isEmpty();
			assertThat(context.getBean(Upstreams.class).names()).isEmpty();
			assertThat(context.getBean(FilterSettings.class).scope().everyRoute()).isFalse();
			assertThat(context.getBeansOfType(GatewayMetrics.class)).isEmpty();
		});
	}

	@Test
	void beansOfTheApplicationTakeThePlaceOfTheStarters() {
		GatewayRoutes routes = new GatewayRoutes(List.of());
		AbstractApplicationContextRunner<?, ?, ?> runner = runner().withBean(GatewayRoutes.class, () -> routes);
		WebExceptionHandler onWebFlux = (exchange, ex) -> Mono.error(ex);
		HandlerExceptionResolver onWebMvc = (request, response, handler, ex) -> null;
		runner = (this.flavour == Flavour.WEBFLUX)
				? runner.withBean("gatewayBenchErrorHandler", WebExceptionHandler.class, () -> onWebFlux)
				: runner.withBean("gatewayBenchErrorHandler", HandlerExceptionResolver.class, () -> onWebMvc);
		runner.run((context) -> {
			assertThat(context.getBean(GatewayRoutes.class)).isSameAs(routes);
			assertThat(context.getBean("gatewayBenchErrorHandler"))
				.isSameAs((this.flavour == Flavour.WEBFLUX) ? onWebFlux : onWebMvc);
		});
	}

	@Test
	void aRefreshLeavesTheApplicationsOwnRoutesAlone() {
		GatewayRoutes own = new GatewayRoutes(List.of());
		runner().withBean(GatewayRoutes.class, () -> own)
			.withPropertyValues("gateway-bench.upstreams.a.instances=http://127.0.0.1:1")
			.run((context) -> {
				TestPropertyValues
					.of("gateway-bench.routes[0].id=a", "gateway-bench.routes[0].path=/a",
							"gateway-bench.routes[0].upstream=a")
					.applyTo(context.getSourceApplicationContext());
				context.publishEvent(new EnvironmentChangeEvent(context, Set.of()));
				assertThat(own.routes()).isEmpty();
			});
	}

	@Test
	void springCloudContextIsNotNeeded() {
		webRunner().withConfiguration(AutoConfigurations.of(GatewayBenchAutoConfiguration.class))
			.withBean(Flavour.class, () -> this.flavour)
			.withClassLoader(new FilteredClassLoader("org.springframework.cloud.context"))
			.run((context) -> {
				assertThat(context.getBean(GatewayRoutes.class).routes()).isEmpty();
				assertThat(context.containsBean("gatewayBenchConfigurationRefresh")).isFalse();
			});
	}

	@Test
	void disabledItLeavesOnlyTheNamedFiltersSoThatNativeRoutesStillStart() {
		runner().withPropertyValues("gateway-bench.enabled=false").run((context) -> {
			assertThatTheNamedFiltersAreThere(context);
			assertThat(context.getBeansOfType(FilterSettings.class)).isEmpty();
			assertThat(context.getBeansOfType(GatewayMetrics.class)).isEmpty();
			assertThat(context.getBeanDefinitionNames()).filteredOn((name) -> name.startsWith("gatewayBench"))
				.containsOnly((this.flavour == Flavour.WEBFLUX) ? new String[] { "gatewayBenchFlavour" }
						: new String[] { "gatewayBenchFlavour", "gatewayBenchFilterSupplier" });
		});
	}

	@Test
	void withoutAGatewayOnTheClassPathThereIsNothing() {
		runnerWithoutGateway().withClassLoader(new FilteredClassLoader("org.springframework.cloud.gateway"))
			.run(GatewayBenchAutoConfigurationTests::assertThatThereIsNothing);
	}

	@Test
	void whereTheGatewayIsOffThereIsNothing() {
		runnerWithoutGateway().withPropertyValues("spring.cloud.gateway.server.%s.enabled=false".formatted(key()))
			.run(GatewayBenchAutoConfigurationTests::assertThatThereIsNothing);
	}

	@Test
	void theOtherFlavourIsNotNeeded() {
		runnerWithoutGateway().withPropertyValues("gateway-bench.enabled=false")
			.withClassLoader(new FilteredClassLoader((this.flavour == Flavour.WEBFLUX)
					? "org.springframework.cloud.gateway.server.mvc" : "org.springframework.cloud.gateway.handler"))
			.run((context) -> {
				assertThat(context.getBean(Flavour.class)).isEqualTo(this.flavour);
				assertThatTheNamedFiltersAreThere(context);
			});
	}

	@Test
	void whatIsNoWebApplicationHasNothing() {
		new ApplicationContextRunner().withUserConfiguration(Gateways.Application.class)
			.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.run(GatewayBenchAutoConfigurationTests::assertThatThereIsNothing);
	}

	@Test
	void aRegistryGetsMeters() {
		runner().withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context.getBeansOfType(GatewayMetrics.class))
				.containsOnlyKeys("gatewayBenchMicrometerMetrics"));
	}

	@Test
	void micrometerIsNotNeeded() {
		runner().withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context.getBeansOfType(GatewayMetrics.class)).isEmpty());
	}

	@Test
	void metricsThatAreOffHaveNeitherMetersNorFile() {
		runner().withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("gateway-bench.metrics.enabled=false", "gateway-bench.metrics.csv.enabled=true",
					"gateway-bench.metrics.csv.directory=" + this.directory)
			.run((context) -> assertThat(context.getBeansOfType(GatewayMetrics.class)).isEmpty());
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void theFileIsWrittenOnlyWhenAskedFor() throws IOException {
		runner().withPropertyValues("gateway-bench.metrics.csv.directory=" + this.directory)
			.run((context) -> assertThat(context.getBeansOfType(GatewayMetrics.class)).isEmpty());
		assertThat(this.directory).isEmptyDirectory();
		runner()
			.withPropertyValues("gateway-bench.metrics.csv.directory=" + this.directory,
					"gateway-bench.metrics.csv.enabled=true")
			.run((context) -> assertThat(context.getBeansOfType(GatewayMetrics.class))
				.containsOnlyKeys("gatewayBenchCsvMetrics"));
		try (Stream<Path> files = Files.list(this.directory)) {
			assertThat(files).singleElement().satisfies((file) -> assertThat(file).isNotEmptyFile());
		}
	}

	@Test
	void theApplicationsOwnMetricsAreCalledToo() {
		OwnMetrics own = new OwnMetrics();
		runner().withBean("own", GatewayMetrics.class, () -> own)
			.run((context) -> context.getBean(Exchanges.class).metrics().rewrite("rewritten"));
		assertThat(own.outcome).isEqualTo("rewritten");
	}

	@Test
	void routesAreIndexed() {
		runner().run((context) -> {
			assertThat(context.getBean(RouteIndexHolder.class)).isNotNull();
			assertThat(lookup(context)).startsWith("io.gatewaybench." + key());
		});
	}

	@Test
	void anIndexThatIsOffIsNotInTheWay() {
		runner().withPropertyValues("gateway-bench.route-index.enabled=false").run((context) -> {
			assertThat(context.getBeanDefinitionNames())
				.noneMatch((name) -> name.matches("(?i).*route(index|lookup).*"));
			assertThat(lookup(context)).startsWith("org.springframework.");
		});
	}

	@Test
	void theApplicationsOwnMappingStays() {
		switch (this.flavour) {
			case WEBFLUX -> runner()
				.withBean("own", RoutePredicateHandlerMapping.class,
						() -> new RoutePredicateHandlerMapping(new FilteringWebHandler(List.of(), false), Flux::empty,
								new GlobalCorsProperties(), new StandardEnvironment()))
				.run((context) -> assertThat(context.getBeansOfType(RoutePredicateHandlerMapping.class))
					.containsOnlyKeys("own"));
			case WEBMVC -> {
				RouterFunction<ServerResponse> own = (request) -> Optional.empty();
				runner().withBean("own", RouterFunctionMapping.class, () -> new RouterFunctionMapping(own))
					.run((context) -> assertThat(
							context.getBean("own", RouterFunctionMapping.class).getRouterFunction())
						.isSameAs(own));
			}
		}
	}

	/**
	 * What looks routes up.
	 */
	private String lookup(ApplicationContext context) {
		Object lookup = switch (this.flavour) {
			case WEBFLUX -> context.getBean("routePredicateHandlerMapping");
			case WEBMVC -> context.getBean("routerFunctionMapping", RouterFunctionMapping.class).getRouterFunction();
		};
		return lookup.getClass().getName();
	}

	@Test
	void theApplicationsOwnUpstreamsTakeThePlaceOfTheConfiguredOnes() {
		Upstreams own = new Upstreams(
				List.of(Upstream.roundRobin("mine", List.of(Instance.parse("http://127.0.0.1:1")))));
		runner().withBean(Upstreams.class, () -> own)
			.withPropertyValues("gateway-bench.routes[0].id=a", "gateway-bench.routes[0].path=/a",
					"gateway-bench.routes[0].upstream=mine")
			.run((context) -> {
				assertThat(context.getBean(Upstreams.class)).isSameAs(own);
				assertThat(context.getBean(GatewayRoutes.class).routes()).singleElement()
					.satisfies((route) -> assertThat(route.uri()).isEqualTo(URI.create("rr://mine")));
			});
	}

	@Test
	void aKeyThatDoesNotExistStopsTheStart() {
		runner().withPropertyValues("gateway-bench.body-rewrite.feild=x")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("gateway-bench.body-rewrite.feild"));
	}

	private AbstractApplicationContextRunner<?, ?, ?> runner() {
		AbstractApplicationContextRunner<?, ?, ?> runner = webRunner()
			.withUserConfiguration(Gateways.Application.class);
		return (this.flavour == Flavour.WEBFLUX) ? runner
				: runner.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false");
	}

	private AbstractApplicationContextRunner<?, ?, ?> runnerWithoutGateway() {
		return webRunner().withConfiguration(
				AutoConfigurations.of(GatewayBenchAutoConfiguration.class, GatewayBenchMetricsAutoConfiguration.class,
						GatewayBenchWebFluxAutoConfiguration.class, GatewayBenchWebMvcAutoConfiguration.class));
	}

	private AbstractApplicationContextRunner<?, ?, ?> webRunner() {
		return (this.flavour == Flavour.WEBFLUX) ? new ReactiveWebApplicationContextRunner()
				: new WebApplicationContextRunner();
	}

	private String key() {
		return this.flavour.name().toLowerCase(Locale.ROOT);
	}

	private void assertThatTheNamedFiltersAreThere(ApplicationContext context) {
		switch (this.flavour) {
			case WEBFLUX -> assertThat(context.getBeansOfType(GatewayFilterFactory.class).values())
				.extracting(GatewayFilterFactory::name)
				.contains(NAMES_ON_WEBFLUX);
			case WEBMVC ->
				assertThat(context.getBean("gatewayBenchFilterSupplier", FilterSupplier.class).get()).extracting("name")
					.contains((Object[]) NAMES_ON_WEBMVC);
		}
	}

	private static void assertThatThereIsNothing(ApplicationContext context) {
		assertThat(context.getBeansOfType(Flavour.class)).isEmpty();
		assertThat(context.getBeanDefinitionNames()).noneMatch((name) -> name.contains("gatewayBench"));
	}

	private static final class OwnMetrics implements GatewayMetrics {

		private String outcome;

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
		}

		@Override
		public void rewrite(String outcome) {
			this.outcome = outcome;
		}

		@Override
		public void close() {
		}

	}

}
