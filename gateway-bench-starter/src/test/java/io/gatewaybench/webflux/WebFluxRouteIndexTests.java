package io.gatewaybench.webflux;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatewaybench.internal.routing.RandomRoutes;
import io.gatewaybench.internal.routing.RandomRoutes.And;
import io.gatewaybench.internal.routing.RandomRoutes.Header;
import io.gatewaybench.internal.routing.RandomRoutes.Host;
import io.gatewaybench.internal.routing.RandomRoutes.Method;
import io.gatewaybench.internal.routing.RandomRoutes.Not;
import io.gatewaybench.internal.routing.RandomRoutes.Or;
import io.gatewaybench.internal.routing.RandomRoutes.Own;
import io.gatewaybench.internal.routing.RandomRoutes.Path;
import io.gatewaybench.internal.routing.RandomRoutes.Predicate;
import io.gatewaybench.internal.routing.RandomRoutes.Query;
import io.gatewaybench.internal.routing.RandomRoutes.Request;
import io.gatewaybench.internal.routing.RandomRoutes.Weight;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.handler.AsyncPredicate;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.handler.predicate.HeaderRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.HostRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.MethodRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.PathRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.handler.predicate.QueryRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.WeightRoutePredicateFactory;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.PathContainer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.i18n.LocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.WebSessionManager;

import static org.assertj.core.api.Assertions.assertThat;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxRouteIndexTests {

	private final WebSessionManager sessions = new DefaultWebSessionManager();

	private final ServerCodecConfigurer codecs = ServerCodecConfigurer.create();

	private final LocaleContextResolver locales = new AcceptHeaderLocaleContextResolver();

	private ConfigurableApplicationContext context;

	private Sources sources;

	private RoutePredicateHandlerMapping indexed;

	private RoutePredicateHandlerMapping linear;

	@BeforeAll
	void start() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.REACTIVE);
		this.context = application.run("--server.port=0", "--spring.main.banner-mode=off",
				"--spring.main.log-startup-info=false");
		this.sources = this.context.getBean(Sources.class);
		this.indexed = this.context.getBean(RoutePredicateHandlerMapping.class);
		this.linear = new RoutePredicateHandlerMapping(this.context.getBean(FilteringWebHandler.class),
				this.context.getBean(RouteLocator.class), new GlobalCorsProperties(), this.context.getEnvironment());
		this.linear.setApplicationContext(this.context);
	}

	@AfterAll
	void stop() {
		this.context.close();
	}

	@Test
	void theRouteAndItsTracesAreThoseOfTryingAll() {
		int found = 0;
		int indexedRoutes = 0;
		for (int seed = 0; seed < 400; seed++) {
			boolean plainHosts = seed % 2 == 0;
			RandomRoutes random = new RandomRoutes(seed, plainHosts);
			List<Predicate> predicates = random.routes(1 + random.random().nextInt(40));
			load(random, predicates);
			indexedRoutes += index().summary().orElseThrow().indexed();
			for (int i = 0; i < 50; i++) {
				Request request = random.request();
				Map<String, String> weights = Map.of("g1", "r" + random.random().nextInt(40), "g2",
						"r" + random.random().nextInt(40));
				Map<String, Object> expected = lookUp(this.linear, request, weights);
				Map<String, Object> actual = lookUp(this.indexed, request, weights);
				if (plainHosts) {
					removeEmptyMaps(expected);
					removeEmptyMaps(actual);
				}
				assertThat(actual).as("seed %d, %s", seed, request).isEqualTo(expected);
				found += expected.containsKey(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR) ? 1 : 0;
			}
		}
		// Neither trivially equal
		assertThat(found).isBetween(5_000, 19_900);
		assertThat(indexedRoutes).isGreaterThan(2_000);
	}

	private Map<String, Object> lookUp(RoutePredicateHandlerMapping mapping, Request request,
			Map<String, String> weights) {
		MockServerHttpRequest.BodyBuilder builder = MockServerHttpRequest
			.method(HttpMethod.valueOf(request.method()), URI.create(request.url()))
			.header("Host", request.host());
		request.headers().forEach(builder::header);
		// A MockServerWebExchange makes codecs of its own, which takes longer than the
		// lookup
		ServerWebExchange exchange = new DefaultServerWebExchange(builder.build(), new MockServerHttpResponse(),
				this.sessions, this.codecs, this.locales);
		exchange.getAttributes().put(ServerWebExchangeUtils.WEIGHT_ATTR, weights);
		Object handler;
		try {
			handler = mapping.getHandler(exchange).block();
		}
		catch (RuntimeException ex) {
			handler = ex.getClass();
		}
		Map<String, Object> attributes = new HashMap<>(exchange.getAttributes());
		attributes.put("handler", Optional.ofNullable(handler));
		attributes.remove(ServerWebExchangeUtils.GATEWAY_REACTOR_CONTEXT_ATTR);
		attributes.remove(ServerWebExchange.LOG_ID_ATTRIBUTE);
		// What a predicate of the path has parsed is the same for all; whether one had to
		// is not
		Object path = attributes.remove(ServerWebExchangeUtils.GATEWAY_PREDICATE_PATH_CONTAINER_ATTR);
		assertThat((path != null) ? ((PathContainer) path).value() : request.path())
			.isEqualTo(exchange.getRequest().getURI().getRawPath());
		return attributes;
	}

	/**
	 * A plain host leaves an empty map even if its route does not match, and the index
	 * does not.
	 */
	private static void removeEmptyMaps(Map<String, Object> attributes) {
		attributes.values().removeIf(Map.of()::equals);
	}

	@Test
	void thousandsThatAreAlwaysTestedNeedNoDeepStack() {
		List<Route> routes = new ArrayList<>();
		AsyncPredicate<ServerWebExchange> never = asynchronous(new And(new Own(true), new Method("PUT")));
		for (int i = 0; i < 5_000; i++) {
			routes.add(Route.async().id("r" + i).uri("http://localhost").predicate((exchange) -> false).build());
			routes.add(Route.async()
				.id("never" + i)
				.uri("http://localhost")
				.asyncPredicate(AsyncPredicate.from((exchange) -> true).and((exchange) -> Mono.just(false)))
				.build());
		}
		routes.add(Route.async().id("async").uri("http://localhost").asyncPredicate(never).build());
		routes.add(Route.async().id("last").uri("http://localhost").predicate((exchange) -> true).build());
		this.sources.routes = routes;
		this.sources.definitions = List.of();
		refresh();
		Map<String, Object> found = lookUp(this.indexed, new Request("GET", "/a", "h", Map.of(), ""), Map.of());
		assertThat(found.get(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR)).hasFieldOrPropertyWithValue("id", "last");
	}

	@Test
	void definitionsAreIndexedByTheirPathWhereverItStandsAmongPredicatesThatOnlyRead() {
		this.sources.routes = List.of();
		this.sources.definitions = List.of(definition("path", "Path=/a/**"), definition("several", "Path=/a,/b"),
				definition("behind", "Method=GET", "Header=X-A", "Cookie=a,b", "Query=q", "Host=*.example.org",
						"After=2020-01-01T00:00:00Z", "Before=2120-01-01T00:00:00Z",
						"Between=2020-01-01T00:00:00Z,2120-01-01T00:00:00Z", "RemoteAddr=10.0.0.0/8", "Weight=g,1",
						"Path=/a"));
		refresh();
		assertThat(index().summary().orElseThrow())
			.hasToString("3 routes are found by their path, 0 are tested for every request");
		this.sources.definitions = List.of(definition("variables", "Host={sub}.example.org", "Path=/a"),
				definition("none", "Method=GET"), definition("any", "Path=/**"), definition("one", "Path=/a,/{b}"));
		refresh();
		assertThat(index().summary().orElseThrow())
			.hasToString("0 routes are found by their path, 4 are tested for every request: 1 with no path, 2 with"
					+ " no literal segment in the path, 1 with a path behind a predicate that changes"
					+ " the request");
	}

	@Test
	void theFiltersOfARouteAreCombinedOnceUntilItIsReplaced() {
		this.sources.definitions = List.of();
		this.sources.routes = List
			.of(Route.async().id("a").uri("http://localhost").predicate((exchange) -> true).build());
		refresh();
		FilteringWebHandler handler = this.context.getBean(FilteringWebHandler.class);
		Route route = this.context.getBean(RouteLocator.class).getRoutes().blockFirst();
		Object filters = ReflectionTestUtils.invokeMethod(handler, "getCombinedFilters", route);
		assertThat(filters).isNotNull()
			.isEqualTo(ReflectionTestUtils.invokeMethod(handler, "getAllFilters", route))
			.isSameAs(ReflectionTestUtils.invokeMethod(handler, "getCombinedFilters", route));
		this.sources.routes = List.of();
		refresh();
		assertThat((Object) ReflectionTestUtils.invokeMethod(handler, "getCombinedFilters", route))
			.isNotSameAs(filters);
	}

	private void load(RandomRoutes random, List<Predicate> predicates) {
		List<Route> routes = new ArrayList<>();
		List<RouteDefinition> definitions = new ArrayList<>();
		for (int i = 0; i < predicates.size(); i++) {
			List<String> definition = RandomRoutes.definition(predicates.get(i));
			int order = random.random().nextInt(3);
			if (random.random().nextBoolean() && !definition.isEmpty()) {
				RouteDefinition route = definition("r" + i, definition.toArray(String[]::new));
				route.setOrder(order);
				definitions.add(route);
			}
			else {
				AsyncPredicate<ServerWebExchange> predicate = random.random().nextBoolean()
						? AsyncPredicate.from(synchronous(predicates.get(i))) : asynchronous(predicates.get(i));
				routes.add(Route.async()
					.id("r" + i)
					.uri("http://localhost")
					.order(order)
					.asyncPredicate(predicate)
					.build());
			}
		}
		this.sources.routes = routes;
		this.sources.definitions = definitions;
		refresh();
	}

	private void refresh() {
		this.context.publishEvent(new RefreshRoutesEvent(this));
	}

	private RouteIndexHolder<?> index() {
		return this.context.getBean(RouteIndexHolder.class);
	}

	private static RouteDefinition definition(String id, String... predicates) {
		RouteDefinition definition = new RouteDefinition();
		definition.setId(id);
		definition.setUri(URI.create("http://localhost"));
		definition.setPredicates(Arrays.stream(predicates).map(PredicateDefinition::new).toList());
		return definition;
	}

	private java.util.function.Predicate<ServerWebExchange> synchronous(Predicate predicate) {
		if (predicate instanceof And and) {
			return synchronous(and.left()).and(synchronous(and.right()));
		}
		if (predicate instanceof Or or) {
			return synchronous(or.left()).or(synchronous(or.right()));
		}
		if (predicate instanceof Not not) {
			return synchronous(not.predicate()).negate();
		}
		return leaf(predicate);
	}

	private AsyncPredicate<ServerWebExchange> asynchronous(Predicate predicate) {
		if (predicate instanceof And and) {
			return asynchronous(and.left()).and(asynchronous(and.right()));
		}
		if (predicate instanceof Or or) {
			return asynchronous(or.left()).or(asynchronous(or.right()));
		}
		if (predicate instanceof Not not) {
			return asynchronous(not.predicate()).negate();
		}
		if (predicate instanceof Own own) {
			return (exchange) -> Mono.just(own.result())
				.publishOn(Schedulers.parallel())
				.doOnNext((result) -> count(exchange));
		}
		return AsyncPredicate.from(leaf(predicate));
	}

	private java.util.function.Predicate<ServerWebExchange> leaf(Predicate predicate) {
		if (predicate instanceof Path path) {
			return factory(PathRoutePredicateFactory.class).apply((config) -> config.setPatterns(path.patterns()));
		}
		if (predicate instanceof Method method) {
			return factory(MethodRoutePredicateFactory.class)
				.apply((config) -> config.setMethods(HttpMethod.valueOf(method.name())));
		}
		if (predicate instanceof Header header) {
			return factory(HeaderRoutePredicateFactory.class)
				.apply((config) -> config.setHeader(header.name()).setRegexp(header.regexp()));
		}
		if (predicate instanceof Host host) {
			return factory(HostRoutePredicateFactory.class)
				.apply((config) -> config.setPatterns(List.of(host.pattern())));
		}
		if (predicate instanceof Query query) {
			return factory(QueryRoutePredicateFactory.class).apply((config) -> config.setParam(query.name()));
		}
		if (predicate instanceof Weight weight) {
			return factory(WeightRoutePredicateFactory.class)
				.apply((config) -> config.setGroup(weight.group()).setWeight(1));
		}
		Own own = (Own) predicate;
		return (exchange) -> {
			count(exchange);
			return own.result();
		};
	}

	private static void count(ServerWebExchange exchange) {
		exchange.getAttributes().merge("tests of own predicates", 1, (count, one) -> (Integer) count + 1);
	}

	private <T> T factory(Class<T> type) {
		return this.context.getBean(type);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Sources sources() {
			return new Sources();
		}

		@Bean
		RouteLocator routes(Sources sources) {
			return () -> Flux.fromIterable(sources.routes);
		}

		@Bean
		RouteDefinitionLocator definitions(Sources sources) {
			return () -> Flux.fromIterable(sources.definitions);
		}

	}

	static final class Sources {

		private volatile List<Route> routes = List.of();

		private volatile List<RouteDefinition> definitions = List.of();

	}

}
