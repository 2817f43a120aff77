package io.gatewaybench.benchmark.load;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayFieldTests {

	private static final long NOW = 1_702_234_542_456L;

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1702234542456,\"processed\":true}";

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":1,FIELD}", "{FIELD}", "{\"a\":1,FIELD}\n", "{\n  \"a\" : 1,\n  FIELD\n}",
			"{\"_gateway\":5,FIELD}", "{\"a\":\"\\\"_gateway\\\":\",FIELD}" })
	void theFieldAsLastMemberIsRight(String template) {
		assertThat(problem(template.replace("FIELD", FIELD))).isNull();
	}

	@Test
	void spaceBetweenTheTokensIsRight() {
		assertThat(problem("{ \"_gateway\" : { \"type\" : \"WebFlux\" , \"timestamp\" : 1702234542456 ,\n"
				+ "\t\"processed\" : true } }"))
			.isNull();
	}

	@Test
	void theFieldBehindALargeBodyIsFound() {
		assertThat(problem("{\"a\":\"" + "x".repeat(50_000) + "\"," + FIELD + "}")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"a\":1}", "{FIELD,\"a\":1}", "{\"a\":{FIELD}}", "[{FIELD}]", "{FIELD",
			"FIELD}", "{FIELD}x", "{\"a\":\"FIELD}", "{\"a\"FIELD}" })
	void aBodyWithoutTheFieldAsLastMemberIsWrong(String template) {
		assertThat(problem(template.replace("FIELD", FIELD)))
			.isEqualTo("the body does not end with the _gateway field");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true}", "\"processed\":true", "timestamp", "1702234542456" })
	void aFieldWithoutOneOfItsMembersIsWrong(String part) {
		assertThat(problem("{" + FIELD.replace(part, "x") + "}"))
			.isEqualTo("the body does not end with the _gateway field");
	}

	@Test
	void aFieldOfAnotherTypeIsWrong() {
		assertThat(problem("{" + FIELD.replace("WebFlux", "WebMVC") + "}"))
			.isEqualTo("the _gateway field is not of type WebFlux");
		assertThat(problem("{" + FIELD.replace("WebFlux", "WebFluxer") + "}"))
			.isEqualTo("the _gateway field is not of type WebFlux");
	}

	@Test
	void aTimestampMoreThanFiveMinutesOffIsWrong() {
		assertThat(problem("{" + FIELD.replace("1702234542456", "1702234242456") + "}")).isNull();
		assertThat(problem("{" + FIELD.replace("1702234542456", "1702234242455") + "}"))
			.contains("1702234242455, is more than 5 minutes off");
		assertThat(problem("{" + FIELD.replace("1702234542456", "1702234842457") + "}")).contains("5 minutes");
		assertThat(problem("{" + FIELD.replace("1702234542456", "99999999999999999999999") + "}")).isNotNull();
	}

	private static String problem(String json) {
		BodyTail body = new BodyTail();
		body.append(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8));
		return GatewayField.problem(body.text(), "WebFlux", NOW);
	}

}
