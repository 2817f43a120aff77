package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a body that is longer than the limit.
 */
class SpliceStreamingTests {

	private static final int LIMIT = 16;

	private static final String LONG = "{\"a\":\"0123456789\"";

	private final CountingChunks chunks = new CountingChunks();

	@Test
	void aBodyOfTheLimitIsHeldAndALongerOneIsNot() {
		byte[] body = Bytes.of("{\"a\":\"01234567\"}");
		Rewritten held = Rewritten.streamed(rewriter(body.length), Bytes.chunks(body, 3));
		Rewritten streamed = Rewritten.streamed(rewriter(body.length - 1), Bytes.chunks(body, 3));
		assertThat(held.length()).isEqualTo(held.bytes().length);
		assertThat(streamed.length()).isEqualTo(-1);
		assertThat(streamed.text()).isEqualTo(held.text()).isEqualTo("{\"a\":\"01234567\"," + Rewritten.FIELD + "}");
		assertThat(streamed.outcome()).isEqualTo(RewriteOutcome.ADDED);
	}

	@Test
	void whatIsCertainLeavesAtOnceAndTheBraceWaits() {
		HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
		assertThat(next(body, "{\"a\":\"0123456789")).isEmpty();
		assertThat(next(body, "A")).isEqualTo("{\"a\":\"0123456789A");
		assertThat(next(body, "B")).isEqualTo("B");
		assertThat(next(body, "\" }")).isEqualTo("\" ");
		assertThat(next(body, "  ")).isEmpty();
		assertThat(body.outcome()).isNull();
		body.end();
		assertThat(drain(body)).isEqualTo("," + Rewritten.FIELD + "}  ");
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.ADDED);
		assertThat(body.exactLength()).isEqualTo(-1);
	}

	@Test
	void whiteSpaceBeforeTheObjectLeavesToo() {
		HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
		assertThat(next(body, " ".repeat(20))).hasSize(20);
		assertThat(next(body, "{}")).isEqualTo("{");
		body.end();
		assertThat(drain(body)).isEqualTo(Rewritten.FIELD + "}");
	}

	@ParameterizedTest
	@ValueSource(strings = { ",}", "]", "x", ",\"b\":01}", ",\"b\":\"\\x\"}", "}x", "} {}", "}}", ",\"b\":tru}" })
	void anObjectThatTurnsOutBrokenLeavesAsItCame(String rest) {
		assertStreamed(LONG + rest, LONG + rest, RewriteOutcome.UNCHANGED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ",", ",\"b\"", ",\"b\":", ",\"b\":\"", ",\"b\":[1", ",\"_gateway\":[1,2" })
	void anObjectThatEndsEarlyLeavesAsItCame(String rest) {
		assertStreamed(LONG + rest, LONG + rest, RewriteOutcome.UNCHANGED);
	}

	@Test
	void anObjectThatIsNestedTooDeeplyLeavesAsItCame() {
		String body = LONG + ",\"b\":" + "[".repeat(Nesting.MAX_DEPTH) + "]".repeat(Nesting.MAX_DEPTH) + "}";
		assertStreamed(body, body, RewriteOutcome.UNCHANGED);
	}

	@Test
	void aBrokenObjectIsNotFollowedAnyMore() {
		HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
		next(body, LONG);
		assertThat(next(body, "x\"")).isEqualTo("x\"");
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
		assertThat(next(body, ",\"_gateway\":1}")).isEqualTo(",\"_gateway\":1}");
		body.end();
		assertThat(body.poll()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{\"_gateway\":1,\"a\":\"abcdefghij\"}|1", "{\"a\":\"abcdefghij\",\"_gateway\":1}|1",
					"{\"a\":\"abcdefghij\",\"_gateway\":1,\"b\":2} |1",
					"{\"a\":\"0\",\"\\u005fgateway\" : \"12345678\" }|\"12345678\"",
					"{\"a\":\"abcdefghij\",\"_gateway\":[1,2,{}],\"b\":2}|[1,2,{}]" })
	void aFieldThatIsThereIsReplacedInItsPlace(String body, String old) {
		assertStreamed(body, body.replace(old, Rewritten.VALUE), RewriteOutcome.REPLACED);
	}

	@Test
	void everyFieldThatIsThereIsReplacedBeforeAndAfterTheLimit() {
		assertStreamed("{\"_gateway\":#,\"a\":\"0123456789\",\"_gateway\":#,\"_gateway\":#}".replace("#", "7"),
				"{\"_gateway\":#,\"a\":\"0123456789\",\"_gateway\":#,\"_gateway\":#}".replace("#", Rewritten.VALUE),
				RewriteOutcome.REPLACED);
	}

	@Test
	void aValueThatIsReplacedWaitsForItsEnd() {
		HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
		assertThat(next(body, LONG + ",\"_gateway\": ")).isEqualTo(LONG + ",\"_gateway\": ");
		assertThat(next(body, "[1,")).isEmpty();
		assertThat(next(body, "2]")).isEmpty();
		assertThat(next(body, " ")).isEqualTo(Rewritten.VALUE + " ");
		assertThat(next(body, "}")).isEqualTo("}");
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.REPLACED);
		assertThat(next(body, "x")).isEqualTo("x");
		body.end();
		assertThat(this.chunks.live()).isZero();
	}

	@Test
	void aValueLongerThanTheLimitStaysAndTheFieldIsAdded() {
		String fits = "\"" + "x".repeat(LIMIT - 2) + "\"";
		assertStreamed("{\"_gateway\":" + fits + "}", "{\"_gateway\":" + Rewritten.VALUE + "}",
				RewriteOutcome.REPLACED);
		String tooLong = "{\"_gateway\":\"" + "x".repeat(LIMIT - 1) + "\"";
		assertStreamed(tooLong + "}", tooLong + "," + Rewritten.FIELD + "}", RewriteOutcome.ADDED);
		assertStreamed(tooLong + ",\"_gateway\":1}", tooLong + ",\"_gateway\":" + Rewritten.VALUE + "}",
				RewriteOutcome.REPLACED);
	}

	@Test
	void whatComesAfterAReplacedValueMayBeBroken() {
		String body = "{\"_gateway\":1,\"a\":\"0123456789\",}";
		assertStreamed(body, body.replace(":1,", ":" + Rewritten.VALUE + ","), RewriteOutcome.REPLACED);
		String before = "{\"_gateway\":1,}";
		assertStreamed(before + "0123456789", before + "0123456789", RewriteOutcome.UNCHANGED);
	}

	@Test
	void aBrokenValueIsNotReplaced() {
		for (String value : List.of("[1,}", "tru}", "01}", "\"\\x\"}", "{\"a\"}}")) {
			String body = LONG + ",\"_gateway\":" + value;
			assertStreamed(body, body, RewriteOutcome.UNCHANGED);
		}
	}

	@Test
	void onlyAsMuchWhiteSpaceAsTheLimitMayFollow() {
		String fits = LONG + "}" + " ".repeat(LIMIT - 1);
		assertStreamed(fits, LONG + "," + Rewritten.FIELD + "}" + " ".repeat(LIMIT - 1), RewriteOutcome.ADDED);
		assertStreamed(fits + " ", fits + " ", RewriteOutcome.UNCHANGED);
	}

	@Test
	void noMoreThanTheLimitIsWithheld() {
		for (String part : List.of("\"_gateway\":[", "\"_gateway\":\"0123\",\"b\":\"", "\"b\":[[[[")) {
			HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
			next(body, "{" + part);
			for (int i = 0; i < 100; i++) {
				next(body, (i % 2 == 0) ? "1" : "1".repeat(10));
				assertThat(this.chunks.liveBytes()).isLessThanOrEqualTo(LIMIT);
			}
			body.release();
		}
		HeldBody<ByteBuffer> body = rewriter(LIMIT).begin(this.chunks, -1);
		next(body, LONG + "}");
		for (int i = 0; i < 100; i++) {
			next(body, " ");
			assertThat(this.chunks.liveBytes()).isLessThanOrEqualTo(LIMIT);
		}
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 31, 1L << 32 })
	void positionsBeyondFourGigabytesAreCounted(long position) {
		JsonWalker walker = new JsonWalker(Bytes.of("_gateway"));
		walk(walker, "{\"_gateway\":[");
		// All that is left of the bytes before, of which the test would take many seconds
		long walked = position - 50;
		ReflectionTestUtils.setField(walker, "walked", walked);
		walk(walker, " ".repeat(100));
		walk(walker, "],\"_gateway\":2}");
		assertThat(walker.values().start(0)).isEqualTo(12);
		assertThat(walker.values().end(0)).isEqualTo(walked + 101).isGreaterThan(position);
		assertThat(walker.values().start(1)).isEqualTo(walked + 113);
		assertThat(walker.values().end(1)).isEqualTo(walked + 114);
		assertThat(walker.end()).isEqualTo(walked + 114);
	}

	private static void walk(JsonWalker walker, String chunk) {
		byte[] bytes = Bytes.of(chunk);
		walker.walk(ByteBuffer.wrap(bytes), 0, bytes.length);
	}

	private static void assertStreamed(String body, String expected, RewriteOutcome outcome) {
		byte[] bytes = Bytes.of(body);
		for (int size = 1; size <= bytes.length; size++) {
			Rewritten rewritten = Rewritten.streamed(rewriter(LIMIT), Bytes.chunks(bytes, size));
			assertThat(rewritten.text()).as("chunks of %s", size).isEqualTo(expected);
			assertThat(rewritten.outcome()).as("chunks of %s", size).isEqualTo(outcome);
		}
	}

	private static BodyRewriter rewriter(long limit) {
		return Rewritten.rewriter(Engine.SPLICE, limit);
	}

	private String next(HeldBody<ByteBuffer> body, String chunk) {
		body.add(this.chunks.chunk(chunk));
		return drain(body);
	}

	private String drain(HeldBody<ByteBuffer> body) {
		return new String(this.chunks.drain(body), StandardCharsets.UTF_8);
	}

}
