package io.gatewaybench.webmvc;

import java.util.ArrayList;
import java.util.Collections;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.cloud.gateway.server.mvc.predicate.GatewayRequestPredicates;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class WebMvcRouteIndexTests {

	@Test
	void theRouteAndItsTracesAreThoseOfTryingAll() throws Exception {
		int found = 0;
		int indexedRoutes = 0;
		for (int seed = 0; seed < 400; seed++) {
			boolean plainHosts = seed % 2 == 0;
			RandomRoutes random = new RandomRoutes(seed, plainHosts);
			List<RouterFunction<?>> routers = routers(random, random.routes(1 + random.random().nextInt(40)));
			RouterFunction<?> linear = routers.stream().reduce(RouterFunction::andOther).orElseThrow();
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(seed % 10 != 0);
			RouteLookup lookup = new RouteLookup();
			RouterFunction<?> indexed = lookup.router(routers, () -> parser);
			RouterFunctions.changeParser(indexed, parser);
			lookup.refresh();
			indexedRoutes += lookup.index().summary().orElseThrow().indexed();
			for (int i = 0; i < 50; i++) {
				Request request = random.request();
				Map<String, String> weights = Map.of("g1", "r" + random.random().nextInt(40), "g2",
						"r" + random.random().nextInt(40));
				boolean dispatched = random.random().nextInt(10) == 0;
				Map<String, Object> expected = lookUp(linear, request, weights, dispatched);
				Map<String, Object> actual = lookUp(indexed, request, weights, dispatched);
				if (plainHosts) {
					removeEmptyMaps(expected);
					removeEmptyMaps(actual);
				}
				assertThat(actual).as("seed %d, %s", seed, request).isEqualTo(expected);
				found += "none".equals(expected.get("handler")) ? 0 : 1;
			}
		}
		// Neither trivially equal
		assertThat(found).isBetween(5_000, 19_900);
		assertThat(indexedRoutes).isGreaterThan(2_000);
	}

	private static Map<String, Object> lookUp(RouterFunction<?> router, Request request, Map<String, String> weights,
			boolean dispatched) throws Exception {
		MockHttpServletRequest servletRequest = new MockHttpServletRequest(request.method(), request.path());
		servletRequest.addHeader("Host", request.host());
		request.headers().forEach(servletRequest::addHeader);
		if (!request.query().isEmpty()) {
			servletRequest.addParameter("q", "1");
		}
		servletRequest.setAttribute(MvcUtils.WEIGHT_ATTR, weights);
		if (dispatched) {
			servletRequest.setAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR, "the one that forwards");
		}
		ServletRequestPathUtils.parseAndCache(servletRequest);
		Map<String, Object> result = new HashMap<>();
		try {
			ServerRequest serverRequest = ServerRequest.create(servletRequest,
					List.of(new StringHttpMessageConverter()));
			Optional<? extends HandlerFunction<?>> handler = router.route(serverRequest);
			Collections.list(servletRequest.getAttributeNames())
				.forEach((name) -> result.put(name, copy(servletRequest.getAttribute(name))));
			result.put("handler", handler.isPresent() ? id(handler.get(), serverRequest) : "none");
		}
		catch (RuntimeException ex) {
			result.put("handler", ex.getClass());
		}
		result.remove(ServletRequestPathUtils.PATH_ATTRIBUTE);
		return result;
	}

	/**
	 * A plain host leaves empty maps even if its route does not match, and the index does
	 * not.
	 */
	private static void removeEmptyMaps(Map<?, ?> attributes) {
		attributes.values().forEach((value) -> {
			if (value instanceof Map<?, ?> map) {
				removeEmptyMaps(map);
			}
		});
		attributes.values().removeIf(Map.of()::equals);
	}

	private static String id(HandlerFunction<?> handler, ServerRequest request) throws Exception {
		return String.valueOf(handler.handle(request).headers().getFirst("id"));
	}

	/**
	 * Not every map of the framework equals another one.
	 */
	private static Object copy(Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, Object> copy = new HashMap<>();
			map.forEach((key, entry) -> copy.put(key, copy(entry)));
			return copy;
		}
		return value;
	}

	/**
	 * Routes of the gateway and of the framework, one by one or composed in all the ways
	 * there are.
	 */
	private static List<RouterFunction<?>> routers(RandomRoutes random, List<Predicate> predicates) {
		List<RouterFunction<?>> routers = new ArrayList<>();
		for (int i = 0; i < predicates.size(); i++) {
			RouterFunction<ServerResponse> router = route("r" + i, predicates.get(i), random);
			switch (random.random().nextInt(12)) {
				case 0 -> router = router.and(route("r" + i + "-and", predicates.get(i / 2), random));
				case 1 -> router = router.filter((request, next) -> next.handle(request));
				case 2 -> router = router.and(route("r" + i + "-filtered", predicates.get(i / 2), random))
					.filter((request, next) -> next.handle(request));
				case 3 -> router = RouterFunctions.route()
					.add(router)
					.add(route("r" + i + "-built", predicates.get(i / 3), random))
					.before((request) -> request)
					.build();
				case 4 -> router = RouterFunctions.nest(RequestPredicates.path("/a"), router);
				case 5 -> router = router.withAttribute("the", "attribute");
				case 6 -> router = own(router);
				default -> {
				}
			}
			routers.add(router);
		}
		return routers;
	}

	/**
	 * Router of an application that hides what it has from the index, but not from
	 * visitors, and does not do what they are told.
	 */
	private static RouterFunction<ServerResponse> own(RouterFunction<ServerResponse> delegate) {
		return new RouterFunction<>() {

			@Override
			public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
				Optional<HandlerFunction<ServerResponse>> found = delegate.route(request);
				return (found.isEmpty() && request.path().endsWith("/c")) ? Optional.of(answer("own")) : found;
			}

			@Override
			public void accept(RouterFunctions.Visitor visitor) {
				delegate.accept(visitor);
			}

		};
	}

	private static RouterFunction<ServerResponse> route(String id, Predicate predicate, RandomRoutes random) {
		return (random.random().nextInt(4) == 0) ? RouterFunctions.route(predicate(predicate), answer(id))
				: GatewayRouterFunctions.route(id).route(predicate(predicate), answer(id)).build();
	}

	private static HandlerFunction<ServerResponse> answer(String id) {
		return (request) -> ServerResponse.ok().header("id", id).build();
	}

	private static RequestPredicate predicate(Predicate predicate) {
		if (predicate instanceof And and) {
			return predicate(and.left()).and(predicate(and.right()));
		}
		if (predicate instanceof Or or) {
			return predicate(or.left()).or(predicate(or.right()));
		}
		if (predicate instanceof Not not) {
			return predicate(not.predicate()).negate();
		}
		if (predicate instanceof Path path) {
			return GatewayRequestPredicates.path(path.patterns().toArray(String[]::new));
		}
		if (predicate instanceof Method method) {
			return GatewayRequestPredicates.method(HttpMethod.valueOf(method.name()));
		}
		if (predicate instanceof Header header) {
			return GatewayRequestPredicates.header(header.name(), header.regexp());
		}
		if (predicate instanceof Host host) {
			return GatewayRequestPredicates.host(host.pattern());
		}
		if (predicate instanceof Query query) {
			return GatewayRequestPredicates.query(query.name());
		}
		if (predicate instanceof Weight weight) {
			return GatewayRequestPredicates.weight(weight.group(), 1);
		}
		Own own = (Own) predicate;
		return (request) -> {
			Integer count = (Integer) request.servletRequest().getAttribute("tests of own predicates");
			request.servletRequest().setAttribute("tests of own predicates", (count != null) ? count + 1 : 1);
			return own.result();
		};
	}

	@Test
	void routersThatAreComposedOfTenThousandNeedNoDeepStack() throws Exception {
		RouterFunction<ServerResponse> composed = null;
		for (int i = 0; i < 10_000; i++) {
			RouterFunction<ServerResponse> next = GatewayRouterFunctions.route("r" + i)
				.route(GatewayRequestPredicates.path("/api" + i + "/**"), answer("r" + i))
				.build();
			composed = (composed != null) ? composed.and(next) : next;
		}
		RouteLookup lookup = new RouteLookup();
		RouterFunction<ServerResponse> indexed = lookup.router(List.of(composed), () -> null);
		List<Object> results = new ArrayList<>();
		Thread thread = new Thread(null, () -> {
			try {
				RouterFunctions.changeParser(indexed, new PathPatternParser());
				lookup.refresh();
				results.add(lookUp(indexed, new Request("GET", "/api0/x", "h", Map.of(), ""), Map.of(), false)
					.get("handler"));
				results.add(lookUp(indexed, new Request("GET", "/api9999/x", "h", Map.of(), ""), Map.of(), false)
					.get("handler"));
				results.add(lookUp(indexed, new Request("GET", "/elsewhere", "h", Map.of(), ""), Map.of(), false)
					.get("handler"));
			}
			catch (Throwable ex) {
				results.add(ex);
			}
		}, "small-stack", 160 * 1024);
		thread.start();
		thread.join();
		assertThat(results).containsExactly("r0", "r9999", "none");
		assertThat(lookup.index().summary().orElseThrow().indexed()).isEqualTo(10_000);
	}

	@Test
	void aPathCountsWhereverItStandsAmongPredicatesThatOnlyRead() {
		RouteLookup lookup = new RouteLookup();
		lookup.router(List.of(
				RouterFunctions.route(GatewayRequestPredicates.method(HttpMethod.GET)
					.and(GatewayRequestPredicates.method(HttpMethod.GET, HttpMethod.POST))
					.and(GatewayRequestPredicates.header("X-A"))
					.and(GatewayRequestPredicates.cookie("a"))
					.and(GatewayRequestPredicates.host("*.example.org"))
					.and(GatewayRequestPredicates.weight("g", 1))
					.and(RequestPredicates.accept(org.springframework.http.MediaType.TEXT_PLAIN))
					.and(RequestPredicates.contentType(org.springframework.http.MediaType.TEXT_PLAIN))
					.and(GatewayRequestPredicates.path("/a", "/b")), answer("read")),
				RouterFunctions.route().GET("/get", answer("get")).POST("/post", answer("post")).build()), () -> null);
		lookup.refresh();
		assertThat(lookup.index().summary().orElseThrow())
			.hasToString("3 routes are found by their path, 0 are tested for every request");
		lookup.router(List.of(
				RouterFunctions.route(GatewayRequestPredicates.query("q").and(GatewayRequestPredicates.path("/a")),
						answer("query")),
				RouterFunctions.route(
						GatewayRequestPredicates.host("{sub}.example.org").and(GatewayRequestPredicates.path("/a")),
						answer("host"))),
				() -> null);
		lookup.refresh();
		assertThat(lookup.index().summary().orElseThrow())
			.hasToString("0 routes are found by their path, 2 are tested for every request:"
					+ " 2 with a path behind a predicate that changes the request");
	}

	/**
	 * As all composed routers would be if their fields had other names.
	 */
	@Test
	void routersThatCannotBeTakenApartAreFoundByTheirPathsTogether() throws Exception {
		RouterFunction<?> composed = route("r0", "/a/**").andOther(route("r1", "/b/**"));
		RouteLookup lookup = new RouteLookup();
		RouterFunction<?> indexed = lookup.router(List.of(composed, route("r2", "/c/**")), () -> null);
		lookup.refresh();
		assertThat(lookup.index().summary().orElseThrow())
			.hasToString("2 routes are found by their path, 0 are tested for every request");
		assertThat(lookUp(indexed, get("/b/x"), Map.of(), false)).containsEntry("handler", "r1");
		assertThat(lookUp(indexed, get("/c/x"), Map.of(), false)).containsEntry("handler", "r2");
		assertThat(lookUp(indexed, get("/d/x"), Map.of(), true)).containsEntry("handler", "none")
			.doesNotContainKey(MvcUtils.GATEWAY_ROUTE_ID_ATTR);
	}

	/**
	 * As if the gateway did not keep the map of its routes any more.
	 */
	@Test
	void routesOfPropertiesThatCannotBeToldApartAreToldOf(CapturedOutput output) throws Exception {
		RouterFunction<ServerResponse> composed = route("r0", "/a/**").and(route("r1", "/b/**"));
		RouteLookup lookup = new RouteLookup();
		RouterFunction<ServerResponse> apart = RouterList.of(new RouterFunctionHolder(
				composed.withAttribute("gatewayRouterFunctions", Map.of("r0", route("r0", "/a/**")))));
		assertThat(output).doesNotContain("WARN");
		RouterFunction<?> indexed = lookup.router(List.of(apart, RouterList.of(new RouterFunctionHolder(composed))),
				() -> null);
		lookup.refresh();
		assertThat(output).containsOnlyOnce("WARN").contains("can't be told apart");
		assertThat(lookUp(indexed, get("/b/x"), Map.of(), false)).containsEntry("handler", "r1");
	}

	private static RouterFunction<ServerResponse> route(String id, String path) {
		return GatewayRouterFunctions.route(id).route(GatewayRequestPredicates.path(path), answer(id)).build();
	}

	private static Request get(String path) {
		return new Request("GET", path, "h", Map.of(), "");
	}

}
