package io.gatewaybench.internal.rewrite;

import java.util.Arrays;

/**
 * Target of the fuzzer Jazzer, which looks for a method of this name. The first two bytes
 * of an input are the limit and the seed of the chunks, the others the body. What it
 * found stays in the test resources, where {@link SpliceFuzzTests} runs it.
 */
public final class SpliceFuzz {

	private static final int HEADER = 2;

	private SpliceFuzz() {
	}

	/**
	 * Checks one input.
	 * @param input any bytes
	 */
	public static void fuzzerTestOneInput(byte[] input) {
		if (input.length >= HEADER) {
			int limit = 1 + (input[0] & 0xff);
			SpliceChecks.check(Arrays.copyOfRange(input, HEADER, input.length), limit, input[1]);
		}
	}

}
