package io.gatewaybench.samples.published.webmvc;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.server.mvc.filter.AfterFilterFunctions;
import org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.cloud.gateway.server.mvc.predicate.GatewayRequestPredicates;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The gateway of "Spring Cloud Gateway 5.0: WebFlux vs WebMVC, with and without virtual
 * threads" (2025-12-11), written by hand around the filters of the gateway, without the
 * starter. Every JSON response is held, parsed by Jackson 2, and printed again. Its
 * metrics are left out: a row of CSV every 2 s costs nothing that could be measured.
 */
@SpringBootApplication
@EnableConfigurationProperties(PublishedGateway.Services.class)
public class PublishedGateway {

	private static final String TYPE = "WebMVC";

	public static void main(String[] args) {
		SpringApplication.run(PublishedGateway.class, args);
	}

	@Bean
	RouterFunction<ServerResponse> routes(Services services) {
		ObjectMapper mapper = new ObjectMapper();
		return services.instances()
			.entrySet()
			.stream()
			.map((entry) -> route(entry.getKey(), entry.getValue(), mapper))
			.reduce(RouterFunction::and)
			.orElseThrow();
	}

	private static RouterFunction<ServerResponse> route(String service, List<URI> instances, ObjectMapper mapper) {
		return GatewayRouterFunctions.route(service)
			.route(GatewayRequestPredicates.path("/" + service + "/**"), HandlerFunctions.http())
			.before(BeforeFilterFunctions.stripPrefix(1))
			.before(BeforeFilterFunctions.addRequestHeader("X-Gateway-Type", TYPE))
			.before(roundRobin(instances))
			.after(AfterFilterFunctions.addResponseHeader("X-Gateway-Type", TYPE))
			.after(AfterFilterFunctions.addResponseHeader("X-Gateway-Instance", "gateway-webmvc"))
			.after(AfterFilterFunctions.addResponseHeader("X-Served-By", "Spring-Cloud-Gateway-" + TYPE))
			.after(AfterFilterFunctions.modifyResponseBody(String.class, String.class, null,
					(request, response, body) -> withField(body, mapper)))
			.build();
	}

	private static Function<ServerRequest, ServerRequest> roundRobin(List<URI> instances) {
		AtomicInteger turn = new AtomicInteger();
		return (request) -> BeforeFilterFunctions
			.uri(instances.get(Math.floorMod(turn.getAndIncrement(), instances.size())))
			.apply(request);
	}

	private static String withField(String body, ObjectMapper mapper) {
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
		catch (JsonProcessingException ex) {
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
