package io.gatewaybench.contract;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.endpoint.event.RefreshEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Configuration that changes where it comes from, such as a file or Spring Cloud Config,
 * and all that Spring Cloud then does.
 */
class RefreshContract {

	private final Gateway gateway;

	@TempDir
	private Path directory;

	RefreshContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@ParameterizedTest
	@ValueSource(strings = { "gatewayBench.upstreams.service.instances", "gateway_bench.upstreams.service.instances" })
	void theKeysOfAChangeMayBeSpelledInAnyWayThatSpringBootTakes(String key) throws Exception {
		try (RawUpstream first = new RawUpstream(); RawUpstream second = new RawUpstream()) {
			first.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
			second.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
			configure(first, "native");
			try (RunningGateway running = this.gateway
				.start("spring.config.import=file:" + this.directory.resolve("gateway.properties"))) {
				assertThatRequestsGoTo("first", "native", running);
				configure(second, "native");
				Path file = this.directory.resolve("gateway.properties");
				Files.writeString(file,
						Files.readString(file).replace("gateway-bench.upstreams.service.instances", key));
				refreshByEvent(running);
				assertThatRequestsGoTo("second", "native", running);
			}
		}
	}

	@Test
	void theEndpointAndTheEventOfSpringCloudTakeOverInstancesAndRoutes() throws Exception {
		try (RawUpstream first = new RawUpstream(); RawUpstream second = new RawUpstream()) {
			first.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
			second.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
			configure(first, "before");
			try (RunningGateway running = this.gateway.start(
					"spring.config.import=file:" + this.directory.resolve("gateway.properties"),
					"management.endpoints.web.exposure.include=refresh")) {
				assertThatRequestsGoTo("first", "before", running);
				configure(second, "between");
				refreshByEndpoint(running);
				assertThatRequestsGoTo("second", "between", running);
				assertThat(HttpExchange.get(running.port(), "/before/x").status()).isEqualTo(404);
				configure(first, "after");
				refreshByEvent(running);
				assertThatRequestsGoTo("first", "after", running);
			}
		}
	}

	@Test
	void aChangeMayReachInstancesThroughAPlaceholder() throws Exception {
		try (RawUpstream first = new RawUpstream(); RawUpstream second = new RawUpstream()) {
			first.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
			second.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
			configure("${the-host}:" + first.port(), "native");
			Path file = this.directory.resolve("gateway.properties");
			String configured = Files.readString(file).replace(":" + first.port(), ":${the-port}");
			String values = "\nthe-host=http://127.0.0.1\nthe-port=%d";
			Files.writeString(file, configured + values.formatted(first.port()));
			try (RunningGateway running = this.gateway.start("spring.config.import=file:" + file)) {
				assertThatRequestsGoTo("first", "native", running);
				Files.writeString(file, configured + values.formatted(second.port()));
				refreshByEvent(running);
				assertThatRequestsGoTo("second", "native", running);
			}
		}
	}

	@Test
	void aChangeOfSomethingElseLeavesInstancesToTheApplicationThatHasChangedThem() throws Exception {
		try (RawUpstream first = new RawUpstream(); RawUpstream second = new RawUpstream()) {
			first.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
			second.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
			configure(first, "native");
			try (RunningGateway running = this.gateway
				.start("spring.config.import=file:" + this.directory.resolve("gateway.properties"))) {
				running.context()
					.getBean(Upstreams.class)
					.get(URI.create("rr://service"))
					.replace(Map.of(Instance.parse(second.url()), 1));
				running.context().publishEvent(new EnvironmentChangeEvent(running.context(), Set.of("another.key")));
				assertThatRequestsGoTo("second", "native", running);
			}
		}
	}

	private static void refreshByEndpoint(RunningGateway running) throws IOException {
		assertThat(HttpExchange
			.send(running.port(),
					"POST /actuator/refresh HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
							+ "Content-Length: 0\r\n\r\n")
			.status()).isEqualTo(200);
	}

	/**
	 * What Spring Cloud Config and Spring Cloud Bus publish.
	 */
	private static void refreshByEvent(RunningGateway running) {
		running.context().publishEvent(new RefreshEvent(running, null, "test"));
	}

	private static void assertThatRequestsGoTo(String answer, String route, RunningGateway running) throws IOException {
		assertThat(HttpExchange.get(running.port(), "/service/x").text()).isEqualTo(answer);
		assertThat(HttpExchange.get(running.port(), "/" + route + "/x").text()).isEqualTo(answer);
	}

	/**
	 * A route of the starter, and a native one.
	 */
	private void configure(RawUpstream upstream, String route) throws IOException {
		configure(upstream.url(), route);
	}

	private void configure(String instance, String route) throws IOException {
		String nativeRoute = this.gateway.nativePrefix() + ".routes[0].";
		Files.writeString(this.directory.resolve("gateway.properties"),
				String.join("\n", "gateway-bench.upstreams.service.instances=" + instance,
						"gateway-bench.routes[0].id=the-route", "gateway-bench.routes[0].path=/service/**",
						"gateway-bench.routes[0].upstream=service", nativeRoute + "id=the-native-route",
						nativeRoute + "uri=rr://service", nativeRoute + "predicates[0]=Path=/%s/**".formatted(route)));
	}

}
