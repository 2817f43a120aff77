package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a body is cut, and wherever its bytes are, the same leaves.
 */
class SpliceChunksTests {

	private static final List<String> CORPUS = List.of(
			"{\"k\":[\"é€😀\",-1.5E+3,true],\"_gateway\":{\"a\":\"}\"},\"z\":{}}",
			" \n{\"\\u005fgateway\": null ,\"_gateway\":12 } ", "{\"a\":\"\\\"}\\u00e9\\uD83D\\uDE00\\/\"}",
			"{\"_gatewa\\u0079\":false,\"_gateway\":\"x\",\"_gateway\":-0.0}", "{ \"a\" : 1.25e-7 , \"b\" : [ ] }\r\n",
			"{\"a\":[[{\"_gateway\":[{}]},1]],\"_gateway\":[[],{\"_gateway\":1}]}", "{}", "{ } ", "  [1]  ",
			"{\"a\":1}x", "{\"a\":\"é", "  ", "{\"a\":nulL}", "{\"a\":1e+}", "{\"_gateway\":1,\"b\":01}",
			"{\"_gateway\":tru}", "{\"_gateway\":1", "{\"0123456789abcdef\":\"0123456789abcdef0123456789abcdef\"}");

	static Stream<Named<UnaryOperator<ByteBuffer>>> memories() {
		return Stream.of(Named.of("heap", (bytes) -> bytes), Named.of("read-only", ByteBuffer::asReadOnlyBuffer),
				Named.of("heap with an offset", (bytes) -> offset(bytes, ByteBuffer.allocate(bytes.remaining() + 40))),
				Named.of("slice", (bytes) -> offset(bytes, ByteBuffer.allocate(bytes.remaining() + 40)).slice()),
				Named.of("slice with an offset",
						(bytes) -> offset(bytes,
								ByteBuffer.allocate(bytes.remaining() + 60).slice(20, bytes.remaining() + 40))),
				Named.of("direct", (bytes) -> offset(bytes, ByteBuffer.allocateDirect(bytes.remaining() + 40)).slice()),
				Named.of("direct with an offset",
						(bytes) -> offset(bytes, ByteBuffer.allocateDirect(bytes.remaining() + 40))),
				Named.of("direct and read-only",
						(bytes) -> offset(bytes, ByteBuffer.allocateDirect(bytes.remaining() + 40))
							.asReadOnlyBuffer()));
	}

	/**
	 * Puts quotes and braces around the bytes, which nobody may look at.
	 */
	private static ByteBuffer offset(ByteBuffer bytes, ByteBuffer target) {
		int length = bytes.remaining();
		while (target.hasRemaining()) {
			target.put((byte) ((target.position() % 2 == 0) ? '"' : '}'));
		}
		target.position(20).put(bytes.duplicate());
		return target.limit(20 + length).position(20);
	}

	@ParameterizedTest
	@MethodSource("memories")
	void everyCutGivesTheSame(UnaryOperator<ByteBuffer> memory) {
		for (long limit : new long[] { 1000, 1, 5, 17 }) {
			BodyRewriter rewriter = Rewritten.rewriter(Engine.SPLICE, limit);
			for (String text : CORPUS) {
				byte[] body = Bytes.of(text);
				Rewritten whole = Rewritten.ofBuffers(rewriter, List.of(memory.apply(ByteBuffer.wrap(body))));
				for (int cut = 0; cut <= body.length; cut++) {
					assertSame(rewriter, whole, cut(body, memory, cut));
				}
				for (int size = 1; size < body.length; size++) {
					assertSame(rewriter, whole,
							Bytes.chunks(body, size).stream().map(ByteBuffer::wrap).map(memory).toList());
				}
			}
		}
	}

	/**
	 * The walk looks at a window after the other, and a window ends a token as a chunk
	 * does.
	 */
	@Test
	void whereverAWindowEndsTheSameLeaves() {
		BodyRewriter rewriter = Rewritten.rewriter(Engine.SPLICE, 3 * Window.SIZE);
		for (String text : CORPUS) {
			Rewritten alone = Rewritten.ofBuffers(rewriter, List.of(ByteBuffer.wrap(Bytes.of(text))));
			for (int cut = 0; cut <= text.length() + 1; cut++) {
				String space = " ".repeat(Window.SIZE - cut);
				Rewritten late = Rewritten.ofBuffers(rewriter, List.of(ByteBuffer.wrap(Bytes.of(space + text))));
				assertThat(late.text()).isEqualTo(space + alone.text());
				assertThat(late.outcome()).isEqualTo(alone.outcome());
			}
		}
	}

	@Test
	void everyTwoCutsGiveTheSame() {
		for (long limit : new long[] { 1000, 9 }) {
			BodyRewriter rewriter = Rewritten.rewriter(Engine.SPLICE, limit);
			for (String text : CORPUS) {
				byte[] body = Bytes.of(text);
				Rewritten whole = Rewritten.ofBuffers(rewriter, List.of(ByteBuffer.wrap(body)));
				for (int first = 1; first < body.length; first++) {
					for (int second = first + 1; second < body.length; second++) {
						assertSame(rewriter, whole, cut(body, UnaryOperator.identity(), first, second));
					}
				}
			}
		}
	}

	@Test
	void aBufferLongerThanTheWindowGivesTheSame() {
		String text = "é€😀\\\"\\u00e9 0123456789".repeat(50);
		for (int shift = 0; shift < 40; shift++) {
			byte[] body = Bytes
				.of("{" + " ".repeat(shift) + "\"_gateway\":[\"" + text + "\",-1234567.125e-10,true,null]," + "\""
						+ text + "\":[" + "12345,false,{\"a\":\"b\"},".repeat(200) + "[]],\"\\u005fgateway\":{}}");
			BodyRewriter rewriter = Rewritten.rewriter(Engine.SPLICE, 100_000);
			Rewritten heap = Rewritten.ofBuffers(rewriter, List.of(ByteBuffer.wrap(body)));
			assertThat(heap.outcome()).isEqualTo(RewriteOutcome.REPLACED);
			ByteBuffer direct = ByteBuffer.allocateDirect(body.length).put(body).flip();
			assertThat(Rewritten.ofBuffers(rewriter, List.of(direct))).isEqualTo(heap);
		}
	}

	private static void assertSame(BodyRewriter rewriter, Rewritten whole, List<ByteBuffer> parts) {
		Rewritten joined = Rewritten.joined(rewriter, parts.stream().map(ByteBuffer::duplicate).toList());
		for (Rewritten cut : List.of(joined, Rewritten.ofBuffers(rewriter, parts))) {
			assertThat(cut.text()).isEqualTo(whole.text());
			assertThat(cut.outcome()).as(whole.text()).isEqualTo(whole.outcome());
		}
	}

	private static List<ByteBuffer> cut(byte[] body, UnaryOperator<ByteBuffer> memory, int... cuts) {
		Stream.Builder<ByteBuffer> parts = Stream.builder();
		int start = 0;
		for (int cut : cuts) {
			parts.add(ByteBuffer.wrap(Arrays.copyOfRange(body, start, cut)));
			start = cut;
		}
		parts.add(ByteBuffer.wrap(Arrays.copyOfRange(body, start, body.length)));
		return parts.build().map(memory).toList();
	}

}
