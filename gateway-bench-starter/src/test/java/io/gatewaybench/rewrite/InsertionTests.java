package io.gatewaybench.rewrite;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class InsertionTests {

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 9, 10, 99, 100, 1702234542456L, 999_999_999_999L, 1_000_000_000_000L, Long.MAX_VALUE,
			-1, -9, -10, Long.MIN_VALUE })
	void everyTimestampIsSpelledLikeANumber(long timestamp) {
		assertThat(new String(insertion("WebMVC", timestamp).value(), StandardCharsets.UTF_8))
			.isEqualTo("{\"type\":\"WebMVC\",\"timestamp\":" + timestamp + ",\"processed\":true}");
	}

	@Test
	void theFirstMemberHasNoCommaAndAFurtherOneHas() {
		String member = "\"f\":{\"type\":\"t\",\"timestamp\":7,\"processed\":true}";
		assertThat(insertion("t", 7).firstMember()).asString().isEqualTo(member);
		assertThat(insertion("t", 7).furtherMember()).asString().isEqualTo("," + member);
	}

	@Test
	void theTypeIsSpelledAsAString() {
		assertThat(insertion("\"\\\n", 7).value()).asString().startsWith("{\"type\":\"\\\"\\\\\\u000a\",");
	}

	private static Insertion insertion(String type, long timestamp) {
		return new Insertion(new RewriteSettings("f", Engine.SPLICE, 1, type, () -> timestamp));
	}

}
