package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

import io.gatewaybench.rewrite.Engine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is true of every body, whatever its bytes and chunks are.
 */
final class SpliceChecks {

	private static final int HELD = 1_000_000;

	private static final BodyRewriter HOLDING = Rewritten.rewriter(Engine.SPLICE, HELD);

	private static final BodyRewriter TREE = Rewritten.rewriter(Engine.JACKSON3, HELD);

	/** Numbers that a tree refuses, see {@link JsonTree}. */
	private static final Pattern TOO_LARGE = Pattern
		.compile("[eE][+-]?\\d{10}|\\d[\\d.]{" + JsonTree.MAX_NUMBER_DIGITS + "}");

	private SpliceChecks() {
	}

	/**
	 * Checks a body.
	 * @param body any bytes
	 * @param limit for the body to be streamed
	 * @param seed of the chunks
	 * @return what becomes of the body when it is held
	 */
	static Rewritten check(byte[] body, long limit, long seed) {
		Rewritten held = Rewritten.ofBuffers(HOLDING, List.of(ByteBuffer.wrap(body)));
		assertThat(Rewritten.ofBuffers(HOLDING, randomChunks(body, seed)).text()).isEqualTo(held.text());
		assertUntouched(body, held);
		if (!isRefusedByTreesOnly(body)) {
			assertThat(held.outcome()).as(held.text()).isEqualTo(Rewritten.of(TREE, List.of(body)).outcome());
		}
		BodyRewriter streaming = Rewritten.rewriter(Engine.SPLICE, limit);
		Rewritten streamed = Rewritten.ofBuffers(streaming, List.of(ByteBuffer.wrap(body)));
		Rewritten inParts = Rewritten.ofBuffers(streaming, randomChunks(body, seed));
		assertThat(inParts.text()).isEqualTo(streamed.text());
		assertThat(inParts.outcome()).as(streamed.text()).isEqualTo(streamed.outcome());
		assertUntouched(body, streamed);
		return held;
	}

	private static boolean isRefusedByTreesOnly(byte[] body) {
		String text = new String(body, StandardCharsets.ISO_8859_1);
		long openings = text.chars().filter((c) -> c == '{' || c == '[').count();
		return openings > JsonTree.MAX_DEPTH || TOO_LARGE.matcher(text).find();
	}

	/**
	 * Takes what came in out of the result and compares the rest with the body. Bytes are
	 * characters here, since not every body is UTF-8.
	 */
	private static void assertUntouched(byte[] body, Rewritten rewritten) {
		String input = new String(body, StandardCharsets.ISO_8859_1);
		String output = new String(rewritten.bytes(), StandardCharsets.ISO_8859_1);
		if (rewritten.outcome() == RewriteOutcome.ADDED) {
			int field = output.lastIndexOf(Rewritten.FIELD);
			String before = output.substring(0, field);
			String after = output.substring(field + Rewritten.FIELD.length());
			String withoutComma = before.substring(0, before.length() - 1);
			assertThat(input).isEqualTo((before.endsWith(",") ? withoutComma : before) + after);
		}
		else if (rewritten.outcome() == RewriteOutcome.REPLACED) {
			String[] kept = output.split(Pattern.quote(Rewritten.VALUE), -1);
			assertThat(input).startsWith(kept[0]).endsWith(kept[kept.length - 1]).containsSubsequence(kept);
		}
		else {
			assertThat(output).isEqualTo(input);
		}
	}

	/**
	 * About every second chunk is direct.
	 */
	private static List<ByteBuffer> randomChunks(byte[] body, long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		List<ByteBuffer> chunks = new ArrayList<>();
		int longest = 1 + random.nextInt(40);
		for (int start = 0; start < body.length;) {
			int end = Math.min(body.length, start + 1 + random.nextInt(longest));
			byte[] part = Arrays.copyOfRange(body, start, end);
			chunks.add(random.nextBoolean() ? ByteBuffer.wrap(part)
					: ByteBuffer.allocateDirect(part.length).put(part).flip());
			start = end;
		}
		return chunks;
	}

}
