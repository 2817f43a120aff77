package io.gatewaybench.samples.published.webflux;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The gateway of "Spring Cloud Gateway 5.0: WebFlux vs WebMVC, with and without virtual
 * threads" (2025-12-11), written by hand around the filters of the gateway, without the
 * starter. Every JSON response is held, parsed by Jackson 3, and printed again. Its
 * metrics are left out: a row of CSV every 2 s costs nothing that could be measured.
 */
@SpringBootApplication
@EnableConfigurationProperties(PublishedGateway.Services.class)
public class PublishedGateway {

	private static final String TYPE = "WebFlux";

	public static void main(String[] args) {
		SpringApplication.run(PublishedGateway.class, args);
	}

	@Bean
	RouteLocator routes(RouteLocatorBuilder builder, Services services, JsonMapper mapper) {
		RouteLocatorBuilder.Builder routes = builder.routes();
		services.instances()
			.forEach((service, instances) -> routes.route(service, (route) -> route.path("/" + service + "/**")
				.filters((filters) -> filters.stripPrefix(1)
					.addRequestHeader("X-Gateway-Type", TYPE)
					.addResponseHeader("X-Gateway-Type", TYPE)
					.addResponseHeader("X-Gateway-Instance", "gateway-webflux")
					.addResponseHeader("X-Served-By", "Spring-Cloud-Gateway-" + TYPE)
					.filter(roundRobin(instances), RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1)
					.modifyResponseBody(String.class, String.class,
							(exchange, body) -> (body != null) ? Mono.just(withField(body, mapper)) : Mono.empty()))
				.uri(instances.getFirst())));
		return routes.build();
	}

	private static GatewayFilter roundRobin(List<URI> instances) {
		AtomicInteger turn = new AtomicInteger();
		return (exchange, chain) -> {
			URI instance = instances.get(Math.floorMod(turn.getAndIncrement(), instances.size()));
			URI url = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
			exchange.getAttributes()
				.put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR,
						UriComponentsBuilder.fromUri(url)
							.host(instance.getHost())
							.port(instance.getPort())
							.build(true)
							.toUri());
			return chain.filter(exchange);
		};
	}

	private static String withField(String body, JsonMapper mapper) {
		try {
			if (mapper.readTree(body) instanceof ObjectNode json) {
				json.putObject("_gateway")
					.put("type", TYPE)
					.put("timestamp", System.currentTimeMillis())
					.put("processed", true);
				return mapper.writeValueAsString(json);
			}
			return body;
		}
		catch (JacksonException ex) {
			return body;
		}
	}

	/**
	 * Where the services are.
	 *
	 * @param instances the addresses of the instances, by service
	 */
	@ConfigurationProperties("services")
	record Services(Map<String, List<URI>> instances) {
	}

}
