package io.gatewaybench.internal.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

	@Test
	void furtherMembersFollowInTheirOrder() {
		AtomicLong count = new AtomicLong(9);
		GatewayMetadata metadata = GatewayMetadata.of("t", () -> 7)
			.add("zone", "eu-\"1\"")
			.add("count", count::getAndIncrement)
			.add("n\n", -3)
			.add("last", false);
		Insertion insertion = new Insertion(new RewriteSettings("f", Engine.SPLICE, 1, metadata));
		String expected = """
				{"type":"t","timestamp":7,"processed":true,"zone":"eu-\\"1\\"","count":%d,"n\\u000a":-3,"last":false}""";
		assertThat(insertion.value()).asString().isEqualTo(expected.formatted(9));
		assertThat(insertion.firstMember()).asString().isEqualTo("\"f\":" + expected.formatted(10));
		assertThat(insertion.furtherMember()).asString().isEqualTo(",\"f\":" + expected.formatted(11));
	}

	@Test
	void twoMembersWithOneNameAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> GatewayMetadata.of("t", () -> 7).add("type", 1))
			.withMessage("The field has a member \"type\" already; choose another name");
	}

	private static Insertion insertion(String type, long timestamp) {
		return new Insertion(new RewriteSettings("f", Engine.SPLICE, 1, GatewayMetadata.of(type, () -> timestamp)));
	}

}
