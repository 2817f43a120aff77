package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What the guides say to type for a gateway that runs does what they say.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuideCommandsContract {

	private static final Path GUIDES = Path.of("..", "..", "docs", "guides");

	private static final Pattern CURL = Pattern.compile("(?m)^ *curl (.*)$");

	private final Gateway gateway;

	private RunningGateway running;

	GuideCommandsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	/**
	 * The gateway that the guides have, with the endpoints that they expose.
	 */
	@BeforeAll
	void start() {
		List<String> all = new ArrayList<>(
				Gateway.route(0, "service-a", "service-a", List.of("http://10.0.0.3:8081", "http://10.0.0.5:8082")));
		all.add("management.endpoints.web.exposure.include=health, refresh, gatewaybench");
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() {
		this.running.close();
	}

	@ParameterizedTest
	@MethodSource("commands")
	void everyRequestToTheGatewayIsAnswered(String command) throws Exception {
		Process curl = new ProcessBuilder("sh", "-c",
				"curl --silent --show-error --fail-with-body "
						+ command.replace("localhost:8080", "localhost:" + this.running.port()))
			.redirectErrorStream(true)
			.start();
		String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		int code = curl.waitFor();
		assumeThat(code == 127 && System.getenv("CI") == null).as("curl is not there").isFalse();
		assertThat(code).as(answer).isZero();
	}

	static List<String> commands() throws IOException {
		List<String> commands = new ArrayList<>();
		try (Stream<Path> guides = Files.list(GUIDES)) {
			for (Path guide : guides.sorted().toList()) {
				CURL.matcher(Files.readString(guide))
					.results()
					.map((MatchResult line) -> line.group(1))
					.forEach(commands::add);
			}
		}
		assertThat(commands).hasSizeGreaterThan(3);
		return commands;
	}

}
