package io.gatewaybench.internal.upstream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeyedHashTests {

	/**
	 * Those of the authors of SipHash, as far as the number of bytes is even.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 726fdb47dd0e0e31", "2, 0d6c8009d9a94f5a", "4, cf2794e0277187b7", "6, cbc9466e58fee3ce",
			"8, 93f5f5799a932462", "10, 7a5dbbc594ddb9f3", "14, f723ca908e7af2ee", "16, 3f2acc7f57c29bdb",
			"62, e51b38608ef25f57" })
	void aTextHasTheHashOfSipHash(int bytes, String hash) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < bytes; i += 2) {
			text.append((char) (i | (i + 1) << 8));
		}
		KeyedHash keyed = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
		assertThat(keyed.of(text.toString())).isEqualTo(Long.parseUnsignedLong(hash, 16));
	}

	@Test
	void twoOfThemDifferForOneText() {
		KeyedHash one = new KeyedHash();
		assertThat(one.of("127.0.0.1")).isEqualTo(one.of("127.0.0.1")).isNotEqualTo(new KeyedHash().of("127.0.0.1"));
	}

}
