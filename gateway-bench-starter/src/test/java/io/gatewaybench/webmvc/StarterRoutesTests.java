package io.gatewaybench.webmvc;

import java.util.List;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class StarterRoutesTests {

	private final GatewayRoutes routes = new GatewayRoutes(List.of(route("first")));

	private final PathPatternParser parser = new PathPatternParser();

	private final StarterRoutes starterRoutes = new StarterRoutes(this.routes, () -> this.parser);

	@Test
	void routesOfARefreshAreParsedAsTheApplicationWants() {
		this.parser.setCaseSensitive(false);
		this.starterRoutes.routers();
		this.routes.replace(List.of(route("second")));
		assertThat(this.starterRoutes.routers()).singleElement()
			.satisfies((router) -> assertThat(router.route(request("/SECOND/x"))).isPresent());
	}

	@Test
	void theyAreBuiltOnceForEachListOfRoutes() {
		List<? extends RouterFunction<?>> before = this.starterRoutes.routers();
		assertThat(this.starterRoutes.routers()).isSameAs(before);
		this.routes.replace(List.of(route("second")));
		assertThat(this.starterRoutes.routers()).isNotSameAs(before).hasSize(1);
	}

	private static GatewayRoute route(String id) {
		return new GatewayRoute(id, "/" + id + "/**", "service", RouteFeatures.NONE);
	}

	private static ServerRequest request(String path) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		ServletRequestPathUtils.parseAndCache(request);
		return ServerRequest.create(request, List.of());
	}

}
