package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway that Spring has processed ahead of time, as for a native image, and that runs
 * on the JVM. It is a process of its own: the code that Spring generates is in the
 * packages of the starter, where no other class loader may put a class.
 */
class AheadOfTimeContract {

	private static final String JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

	private final Gateway gateway;

	@TempDir
	private Path directory;

	AheadOfTimeContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void routesAndFiltersWorkAsWithoutIt() throws Exception {
		try (RawUpstream upstream = new RawUpstream(); ClosedPort closed = new ClosedPort()) {
			upstream.answer(JSON);
			List<String> arguments = arguments(upstream, closed);
			process(arguments);
			JavaProcess process = start(arguments);
			try (process) {
				assertThatRoutesAndFiltersWork(process.awaitStart(1), upstream);
			}
			assertThat(process.log()).contains("Starting AOT-processed " + this.gateway.application().getSimpleName())
				.doesNotContain(" ERROR ");
		}
	}

	private void assertThatRoutesAndFiltersWork(int port, RawUpstream upstream) throws Exception {
		Message response = HttpExchange.get(port, "/service/x");
		assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":{\"type\":\"" + this.gateway.flavour().label());
		assertThat(response.header("X-Gateway-Instance")).isEqualTo("the-gateway");
		assertThat(upstream.request().target()).isEqualTo("/x");
		assertThat(HttpExchange.get(port, "/native/x").text()).startsWith("{\"a\":1,\"_gateway\":");
		assertThat(upstream.request().target()).isEqualTo("/native/x");
		Problems.assertProblem(HttpExchange.get(port, "/closed/x"), 502, Problems.REFUSED);
		assertThat(HttpExchange.get(port, "/nowhere").status()).isEqualTo(404);
		assertThat(HttpExchange.get(port, "/actuator/gatewaybench").text()).contains("\"indexed\":3");
		assertThat(HttpExchange.get(port, "/actuator/gatewaybench/routes").text()).contains("the-route",
				"the-native-route");
	}

	private List<String> arguments(RawUpstream upstream, ClosedPort closed) {
		String route = "--" + this.gateway.nativePrefix() + ".routes[0].";
		// Without Spring Cloud's scope for refreshes, which cannot be processed
		return List.of("--server.port=0", "--spring.cloud.refresh.enabled=false",
				"--spring.config.location=optional:classpath:/no-configuration/",
				"--spring.application.name=the-gateway", "--management.endpoints.web.exposure.include=gatewaybench",
				"--gateway-bench.upstreams.service.instances=" + upstream.url(),
				"--gateway-bench.upstreams.closed.instances=" + closed.url(), "--gateway-bench.routes[0].id=the-route",
				"--gateway-bench.routes[0].path=/service/**", "--gateway-bench.routes[0].upstream=service",
				"--gateway-bench.routes[1].id=closed", "--gateway-bench.routes[1].path=/closed/**",
				"--gateway-bench.routes[1].upstream=closed", route + "id=the-native-route", route + "uri=rr://service",
				route + "predicates[0]=Path=/native/**", route + "filters[0]=InjectGatewayMetadata");
	}

	/**
	 * As the build plugin of Spring Boot does.
	 */
	private void process(List<String> arguments) throws Exception {
		// In a JVM of its own: another context of this one may have made the classes that
		// processing has to write
		List<String> all = new ArrayList<>(
				List.of(this.gateway.application().getName(), this.directory.resolve("sources").toString(),
						this.directory.resolve("resources").toString(), classes().toString(), "test", "gateway"));
		all.addAll(arguments);
		try (JavaProcess process = JavaProcess.start(this.directory, SpringApplicationAotProcessor.class, List.of(),
				all)) {
			assertThat(process.succeeds(Duration.ofMinutes(2))).as("%s", process.log()).isTrue();
		}
		List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters", "-d",
				classes().toString(), "-cp", JavaProcess.classPath(this.directory)));
		try (Stream<Path> sources = Files.walk(this.directory.resolve("sources"))) {
			sources.map(Path::toString).filter((source) -> source.endsWith(".java")).forEach(options::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new))).isZero();
	}

	private JavaProcess start(List<String> arguments) throws IOException {
		// Devtools, which the tests have, would restart the application without its
		// processed classes
		return JavaProcess.start(this.directory, this.gateway.application(),
				List.of("-Dspring.aot.enabled=true", "-Dspring.devtools.restart.enabled=false"), arguments);
	}

	private Path classes() {
		return JavaProcess.classes(this.directory);
	}

}
