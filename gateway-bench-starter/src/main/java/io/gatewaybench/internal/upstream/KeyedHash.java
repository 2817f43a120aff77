package io.gatewaybench.internal.upstream;

import java.security.SecureRandom;

/**
 * Hashes texts with a secret of its own (SipHash-2-4). Who chooses a text cannot tell
 * which others have the same hash, or share some bits of it.
 *
 * @see <a href="https://www.aumasson.jp/siphash/siphash.pdf">J.-P. Aumasson, D. J.
 * Bernstein: SipHash: a fast short-input PRF</a>
 */
final class KeyedHash {

	private static final int CHARS_PER_WORD = 4;

	private final long first;

	private final long second;

	KeyedHash() {
		this(new SecureRandom());
	}

	private KeyedHash(SecureRandom random) {
		this(random.nextLong(), random.nextLong());
	}

	KeyedHash(long first, long second) {
		this.first = first;
		this.second = second;
	}

	/**
	 * {@return the hash of the characters, as if they were bytes of UTF-16LE}
	 */
	long of(String text) {
		long v0 = this.first ^ 0x736f6d6570736575L;
		long v1 = this.second ^ 0x646f72616e646f6dL;
		long v2 = this.first ^ 0x6c7967656e657261L;
		long v3 = this.second ^ 0x7465646279746573L;
		int words = text.length() / CHARS_PER_WORD + 1;
		for (int i = 0; i <= words; i++) {
			boolean end = i == words;
			long word = end ? 0 : word(text, i * CHARS_PER_WORD);
			v2 ^= end ? 0xff : 0;
			v3 ^= word;
			for (int rounds = end ? 4 : 2; rounds > 0; rounds--) {
				v0 += v1;
				v2 += v3;
				v1 = Long.rotateLeft(v1, 13) ^ v0;
				v3 = Long.rotateLeft(v3, 16) ^ v2;
				v0 = Long.rotateLeft(v0, 32);
				v2 += v1;
				v0 += v3;
				v1 = Long.rotateLeft(v1, 17) ^ v2;
				v3 = Long.rotateLeft(v3, 21) ^ v0;
				v2 = Long.rotateLeft(v2, 32);
			}
			v0 ^= word;
		}
		return v0 ^ v1 ^ v2 ^ v3;
	}

	/** The last word, which is not full, ends with the number of bytes. */
	private static long word(String text, int from) {
		int length = Math.min(CHARS_PER_WORD, text.length() - from);
		long word = (length < CHARS_PER_WORD) ? (long) (2 * text.length()) << 56 : 0;
		for (int i = 0; i < length; i++) {
			word |= (long) text.charAt(from + i) << (16 * i);
		}
		return word;
	}

}
