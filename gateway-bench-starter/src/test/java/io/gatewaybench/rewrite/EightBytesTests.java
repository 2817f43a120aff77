package io.gatewaybench.rewrite;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EightBytesTests {

	@Test
	void plainTextEndsWhereItEndsByteByByte() {
		assertEnds(EightBytes::plainEnd, 'a', (b) -> b >= ' ' && b < 0x80 && b != '"' && b != '\\');
	}

	@Test
	void digitsEndWhereTheyEndByteByByte() {
		assertEnds(EightBytes::digitsEnd, '5', (b) -> b >= '0' && b <= '9');
	}

	@Test
	void spacesEndWhereTheyEndByteByByte() {
		assertEnds(EightBytes::spacesEnd, ' ', (b) -> b == ' ');
	}

	/**
	 * Every byte at every place of a run, then random neighbours, which might borrow.
	 */
	private static void assertEnds(Run run, char inside, IntPredicate continues) {
		byte[] bytes = new byte[45];
		for (int value = 0; value < 256; value++) {
			for (int place = 0; place < bytes.length; place++) {
				Arrays.fill(bytes, (byte) inside);
				bytes[place] = (byte) value;
				assertEnd(run, bytes, 0, bytes.length, continues);
			}
		}
		long seed = System.nanoTime();
		SplittableRandom random = new SplittableRandom(seed);
		for (int i = 0; i < 100_000; i++) {
			for (int j = 0; j < bytes.length; j++) {
				bytes[j] = (byte) ((random.nextInt(12) == 0) ? random.nextInt(256) : inside + random.nextInt(3) - 1);
			}
			int from = random.nextInt(bytes.length + 1);
			assertEnd(run, bytes, from, from + random.nextInt(bytes.length - from + 1), continues);
		}
	}

	private static void assertEnd(Run run, byte[] bytes, int from, int to, IntPredicate continues) {
		int expected = from;
		while (expected < to && continues.test(bytes[expected] & 0xff)) {
			expected++;
		}
		if (run.end(bytes, from, to) != expected) {
			assertThat(run.end(bytes, from, to)).as("%s from %s to %s", bytes, from, to).isEqualTo(expected);
		}
	}

	private interface Run {

		int end(byte[] bytes, int from, int to);

	}

}
