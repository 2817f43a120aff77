package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Devtools of Spring Boot, which starts the application again in the same JVM when a file
 * of its class path changes. They do nothing in a test, so this has a process of its own.
 */
class DevtoolsContract {

	private static final Pattern THREAD = Pattern.compile("^\"(gateway-bench[^\"]*)\"", Pattern.MULTILINE);

	private final Gateway gateway;

	@TempDir
	private Path directory;

	DevtoolsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void aRestartTakesRequestsAndLeavesNoThreadOfTheStarterBehind() throws Exception {
		try (RawUpstream upstream = new RawUpstream()) {
			upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
			try (JavaProcess process = start(upstream)) {
				int port = process.awaitStart(1);
				assertThat(HttpExchange.get(port, "/service/x").text()).isEqualTo("ok");
				// A check of an instance has a thread of the same name for a second
				List<String> threads = threads(port).stream().distinct().toList();
				assertThat(threads).contains("gateway-bench-health-checks");
				Files.writeString(JavaProcess.classes(this.directory).resolve("Changed.class"), "");
				int again = process.awaitStart(2);
				assertThat(HttpExchange.get(again, "/service/x").text()).isEqualTo("ok");
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(threads(again)).isEqualTo(threads));
			}
		}
	}

	private JavaProcess start(RawUpstream upstream) throws IOException {
		Files.createDirectory(JavaProcess.classes(this.directory));
		return JavaProcess.start(this.directory, this.gateway.application(), List.of(), this.gateway.arguments(
				"spring.devtools.restart.poll-interval=200ms", "spring.devtools.restart.quiet-period=100ms",
				"management.endpoints.web.exposure.include=threaddump",
				"gateway-bench.upstreams.service.instances[0]=" + upstream.url(),
				"gateway-bench.load-balancing.health-check.enabled=true", "gateway-bench.routes[0].id=the-route",
				"gateway-bench.routes[0].path=/service/**", "gateway-bench.routes[0].upstream=service"));
	}

	private static List<String> threads(int port) throws IOException {
		String dump = HttpExchange.send(port,
				"GET /actuator/threaddump HTTP/1.1\r\nHost: gateway\r\nAccept: text/plain\r\nConnection: close\r\n\r\n")
			.text();
		return THREAD.matcher(dump).results().map((thread) -> thread.group(1)).sorted().toList();
	}

}
