package io.gatewaybench.benchmark.run;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatewaybench.benchmark.load.Expectation;

import static org.assertj.core.api.Assertions.assertThat;

class FunctionalCheckTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1702234542456,\"processed\":true}";

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
			"200;{\"a\":1,\"b\":2};_gateway is not the last member of the body",
			"200;[1,2,3,4,5,6,7];_gateway is not the last member", "200;<html>not json</html>;the body is not JSON",
			"200;{\"_gateway\":{\"type\":\"WebMVC\",\"timestamp\":1,\"processed\":true}};expected type WebFlux",
			"200;{\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1,\"processed\":false}};expected type WebFlux",
			"200;{\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":\"now\",\"processed\":true}};expected type WebFlux" })
	void aWrongAnswerIsDescribed(int status, String body, String problem) {
		assertThat(problem(status, body)).contains(problem);
	}

	@Test
	void theFieldMustComeLast() {
		assertThat(problem(200, "{" + FIELD + ",\"a\":1}")).contains("not the last member");
	}

}
