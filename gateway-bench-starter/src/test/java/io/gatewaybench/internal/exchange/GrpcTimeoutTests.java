package io.gatewaybench.internal.exchange;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GrpcTimeoutTests {

	private static final Pattern VALID = Pattern.compile("[0-9]{1,8}[HMSmun]");

	@ParameterizedTest
	@CsvSource({ "2H, PT2H", "3M, PT3M", "4S, PT4S", "100m, PT0.1S", "00000007u, PT0.000007S",
			"99999999n, PT0.099999999S", "86400S, PT24H" })
	void aValueIsAnAmountOfAUnit(String value, Duration timeout) {
		assertThat(GrpcTimeout.parse(value)).isEqualTo(timeout);
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "S", "1", "1s", "1h", "-1S", "+1S", "1.5S", " 1S", "1S ", "1 S", "1SS", "123456789S",
			"\u0661S", "0S", "00000000n", "86401S", "99999999H" })
	void whatIsNoTimeIsLeftToTheUpstream(String value) {
		assertThat(GrpcTimeout.parse(value)).isNull();
	}

	@Test
	void noValueFailsAndOnlyValidOnesCount() {
		Random random = new Random(1);
		String letters = "0123456789HMSmun -+.sx\u0661";
		for (int i = 0; i < 200_000; i++) {
			StringBuilder value = new StringBuilder();
			for (int length = random.nextInt(11); length > 0; length--) {
				value.append(letters.charAt(random.nextInt(letters.length())));
			}
			Duration timeout = GrpcTimeout.parse(value.toString());
			if (timeout != null) {
				assertThat(value.toString()).matches(VALID);
				assertThat(timeout).isPositive().isLessThanOrEqualTo(Duration.ofDays(1));
			}
		}
	}

}
