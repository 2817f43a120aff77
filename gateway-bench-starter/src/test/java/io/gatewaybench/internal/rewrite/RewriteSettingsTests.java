package io.gatewaybench.internal.rewrite;

import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RewriteSettingsTests {

	@ParameterizedTest
	@ValueSource(strings = { "_gateway", "a", "A-b.c_d$1",
			"0123456789012345678901234567890123456789012345678901234567890123" })
	void aLegalFieldIsAccepted(String field) {
		assertThat(settings(field, 1).field()).isEqualTo(field);
	}

	@ParameterizedTest
	@CsvSource({ "'',''", "a\"b,a\\\"b", "a\\b,a\\\\b", "a b,a b", "é,é", "'a,b','a,b'",
			"01234567890123456789012345678901234567890123456789012345678901234,"
					+ "01234567890123456789012345678901234567890123456789012345678901234" })
	void anIllegalFieldIsRefusedAndShown(String field, String shown) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(field, 1))
			.withMessage("field must be 1 to 64 of the letters a-z and A-Z, digits, '_', '-', '.' and '$' but was \""
					+ shown + "\"");
	}

	@Test
	void controlCharactersOfAnIllegalFieldAreShownAsEscapes() {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("a\n", 1)).withMessageEndingWith("\"a\\u000a\"");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void aLimitBelowOneIsRefused(long limit) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("f", limit))
			.withMessage("max-buffer-size must be at least 1 byte but was " + limit);
	}

	private static RewriteSettings settings(String field, long limit) {
		return new RewriteSettings(field, Engine.JACKSON3, limit, GatewayMetadata.of("WebFlux", () -> 0));
	}

}
