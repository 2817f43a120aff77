package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.StubServer;
import io.gatewaybench.benchmark.topology.Running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FunctionalCheckTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":%d,\"processed\":true}"
		.formatted(System.currentTimeMillis());

	private static String problem(int status, String body) {
		return FunctionalCheck.problem(status, body.getBytes(StandardCharsets.UTF_8),
				new Expectation(200, 10, "WebFlux"));
	}

	@Test
	void aRightAnswerHasNoProblem() {
		assertThat(problem(200, "{\"a\":1," + FIELD + "}")).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '~', value = {
			"503;{\"error\":\"down\"};status 503 instead of 200: {\"error\"", "200;{};2 bytes, expected at least 10",
			"200;{\"a\":1,\"b\":2};the body does not end with the _gateway field: {\"a\"",
			"200;[1,2,3,4,5,6,7];the body does not end with the _gateway field",
			"200;<html>not json</html>;the body is not JSON",
			"200;{\"_gateway\":{\"type\":\"WebMVC\",\"timestamp\":1,\"processed\":true}};not of type WebFlux",
			"200;{\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1,\"processed\":true}};more than 5 minutes off" })
	void aWrongAnswerIsDescribed(int status, String body, String problem) {
		assertThat(problem(status, body)).contains(problem);
	}

	@Test
	void aWebSocketIsReadToItsEnd() throws Exception {
		byte[] frames = HexFormat.of().parseHex("810568656c6c6f" + "880203e8");
		try (StubServer server = new StubServer((exchange) -> {
			exchange.send(exchange.path().equals("/right") ? exchange.switching() + "~"
					: "HTTP/1.1 404 Not Found~Content-Length: 0~~");
			exchange.send(exchange.path().equals("/right") ? frames : new byte[0]);
		}); HttpClient client = HttpClient.newHttpClient()) {
			FunctionalCheck check = new FunctionalCheck(client);
			Running target = new Running("nginx", URI.create("http://127.0.0.1:" + server.port()), null, false,
					List.of(), 0, "", null, null);
			check.check(target, List.of(socket("/right")));
			assertThatExceptionOfType(BenchFailure.class)
				.isThrownBy(() -> check.check(target, List.of(socket("/right", "/wrong"))))
				.withMessageStartingWith(
						"nginx does not answer as it must: GET /wrong: expected status 101, got 404; see http://");
		}
	}

	private static RequestType socket(String... paths) {
		return new RequestType("socket", 1, "GET", List.of(paths), Map.of(), null, new Expectation(101, 5, null));
	}

	@Test
	void theFieldMustComeLast() {
		assertThat(problem(200, "{" + FIELD + ",\"a\":1}")).contains("does not end with the _gateway field");
	}

}
