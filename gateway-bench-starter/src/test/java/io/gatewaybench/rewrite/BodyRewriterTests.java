package io.gatewaybench.rewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every engine does with a body.
 */
@ParameterizedClass
@EnumSource(Engine.class)
class BodyRewriterTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1702234542456,\"processed\":true}";

	private final Engine engine;

	BodyRewriterTests(Engine engine) {
		this.engine = engine;
	}

	@Test
	void anObjectGetsTheFieldAsItsLastMember() {
		assertRewritten("{\"b\":[1,{\"c\":null}],\"a\":\"x\"}", "{\"b\":[1,{\"c\":null}],\"a\":\"x\"," + FIELD + "}",
				RewriteOutcome.ADDED);
	}

	@Test
	void anEmptyObjectGetsTheFieldAsItsOnlyMember() {
		assertRewritten("{}", "{" + FIELD + "}", RewriteOutcome.ADDED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "1", "\"x\"", "[{}]", "{\"type\":\"other\",\"more\":[1,2]}" })
	void aFieldThatIsThereIsReplacedInItsPlace(String old) {
		assertRewritten("{\"a\":1,\"_gateway\":" + old + ",\"b\":2}", "{\"a\":1," + FIELD + ",\"b\":2}",
				RewriteOutcome.REPLACED);
	}

	@Test
	void aFieldWrittenWithEscapesIsReplacedToo() {
		assertRewritten("{\"\\u005fgate\\u0077ay\":1,\"b\":2}", "{" + FIELD + ",\"b\":2}", RewriteOutcome.REPLACED);
	}

	@Test
	void aFieldOfANestedObjectIsLeftAlone() {
		assertRewritten("{\"a\":{\"_gateway\":1}}", "{\"a\":{\"_gateway\":1}," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void theFieldCanHaveAnotherName() {
		BodyRewriter rewriter = BodyRewriter
			.of(new RewriteSettings("$meta.x-1", this.engine, 100, "WebMVC", () -> Long.MAX_VALUE));
		Result result = rewrite(rewriter, List.of(Bytes.of("{\"_gateway\":1}")));
		assertThat(result.text()).isEqualTo("{\"_gateway\":1,\"$meta.x-1\":"
				+ "{\"type\":\"WebMVC\",\"timestamp\":9223372036854775807,\"processed\":true}}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "12345678901234567890123456789", "0.1", "1.50", "3.141592653589793238462643383",
			"1E+400", "1.0E-400", "-0.5", "9007199254740993", "1E+1000000000" })
	void numbersKeepTheirValue(String number) {
		assertRewritten("{\"n\":" + number + "}", "{\"n\":" + number + "," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "é", "€", "😀", "\\\"", "\\\\", "\\n", "\u007f", "\u2028", "/", "<>&'" })
	void textKeepsItsCharacters(String text) {
		assertRewritten("{\"" + text + "\":\"" + text + "\"}", "{\"" + text + "\":\"" + text + "\"," + FIELD + "}",
				RewriteOutcome.ADDED);
	}

	@Test
	void textLongerThanAParsersDefaultLimitsIsAllowed() {
		String text = "x".repeat(60_000);
		assertRewritten("{\"" + text + "\":\"" + text + "\"}", "{\"" + text + "\":\"" + text + "\"," + FIELD + "}",
				RewriteOutcome.ADDED);
	}

	@Test
	void whiteSpaceAroundTheObjectIsAllowed() {
		Result result = rewrite(" \t\r\n{ } \t\r\n");
		assertThat(result.outcome()).isEqualTo(RewriteOutcome.ADDED);
		assertThat(result.text().strip().replace(" ", "")).isEqualTo("{" + FIELD + "}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \r\n\t ", "[]", "[{}]", "\"{}\"", "1", "-1.5e3", "true", "null" })
	void aBodyThatIsNoObjectLeavesAsItCame(String body) {
		assertUnchanged(Bytes.of(body));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":\"", "{\"a\":[", "}", "{}}",
			"{}{}", "{} x", "{},", "{}\u0000", "{}//", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{a:1}", "{'a':1}",
			"{\"a\":'x'}", "{/**/}", "{#\n}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":-Infinity}", "{\"a\":+1}",
			"{\"a\":01}", "{\"a\":-01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}", "{\"a\":1e+}", "{\"a\":-}",
			"{\"a\":0x1}", "{\"a\":tru}", "{\"a\":True}", "{\"a\":nul}", "{\"a\":undefined}", "{\"a\":\"\u0001\"}",
			"{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":{]}",
			"{\u00a0}", "{\u000b}", "{\"a\":1e99999999999}" })
	void aBodyThatIsNoValidJsonLeavesAsItCame(String body) {
		assertUnchanged(Bytes.of(body));
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE" })
	void anObjectInAnotherCharsetLeavesAsItCame(String charset) {
		assertUnchanged("{\"a\":1}".getBytes(Charset.forName(charset)));
	}

	@Test
	void anObjectAfterAByteOrderMarkLeavesAsItCame() {
		assertUnchanged(Bytes.of("\ufeff{}"));
		assertUnchanged(Bytes.of(" \ufeff{}"));
		assertUnchanged(Bytes.of("{}\ufeff"));
	}

	@Test
	void invalidUtf8LeavesAsItCame() {
		List<byte[]> invalid = List.of(Bytes.of(0x80), Bytes.of(0xff), Bytes.of(0xc3), Bytes.of(0xc0, 0xaf),
				Bytes.of(0xc1, 0xbf), Bytes.of(0xe0, 0x80, 0xaf), Bytes.of(0xed, 0xa0, 0x80),
				Bytes.of(0xed, 0xb0, 0x80), Bytes.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
				Bytes.of(0xf0, 0x80, 0x80, 0xaf), Bytes.of(0xf4, 0x90, 0x80, 0x80), Bytes.of(0xf8, 0x88, 0x80, 0x80),
				Bytes.of(0xe2, 0x82), Bytes.of(0xf0, 0x9f, 0x98));
		for (byte[] bytes : invalid) {
			assertUnchanged(Bytes.join(List.of(Bytes.of("{\"a\":\""), bytes, Bytes.of("\"}"))));
			assertUnchanged(Bytes.join(List.of(Bytes.of("{}"), bytes)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\uD800", "\\uDC00", "\\uDC00\\uD800", "\\uD83Dx" })
	void halfASurrogatePairStaysAnEscape(String escape) {
		assertRewritten("{\"" + escape + "\":\"" + escape + "\"}",
				"{\"" + escape + "\":\"" + escape + "\"," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void nestingIsLimited() {
		assertThat(rewrite(nested(JsonTree.MAX_DEPTH)).outcome()).isEqualTo(RewriteOutcome.ADDED);
		assertUnchanged(Bytes.of(nested(JsonTree.MAX_DEPTH + 1)));
		assertUnchanged(Bytes.of("{\"a\":".repeat(20_000)));
	}

	@Test
	void theDigitsOfANumberAreLimited() {
		assertThat(rewrite("{\"a\":" + "9".repeat(JsonTree.MAX_NUMBER_DIGITS) + "}").outcome())
			.isEqualTo(RewriteOutcome.ADDED);
		assertUnchanged(Bytes.of("{\"a\":" + "9".repeat(JsonTree.MAX_NUMBER_DIGITS + 1) + "}"));
		assertUnchanged(Bytes.of("{\"a\":0." + "9".repeat(JsonTree.MAX_NUMBER_DIGITS + 1) + "}"));
	}

	@Test
	void theLastOfTwoMembersWithTheSameKeyCounts() {
		Result result = rewrite("{\"a\":1,\"b\":2,\"a\":3}");
		assertThat(result.text()).isEqualTo("{\"a\":3,\"b\":2," + FIELD + "}");
	}

	@Test
	void everyChunkingGivesTheSameResult() {
		List<byte[]> corpus = List.of(Bytes.of("{\"k\":[\"é€😀\",-1.5E+3,true],\"_gateway\":{\"a\":\"}\"},\"z\":{}}"),
				Bytes.of(" \n{\"\\u005fgateway\":null} "), Bytes.of("{\"a\":\"\\\"}\"}"), Bytes.of("  [1]  "),
				Bytes.of("{\"a\":1}x"), Bytes.of("{\"a\":\"é"), Bytes.of("  "), Bytes.of(0xef, 0xbb, 0xbf, '{', '}'));
		for (byte[] body : corpus) {
			Result whole = rewrite(rewriter(1000), List.of(body));
			for (int size = 1; size <= body.length; size++) {
				assertThat(rewrite(rewriter(1000), Bytes.chunks(body, size))).as("chunks of %s", size).isEqualTo(whole);
			}
			for (int cut = 0; cut <= body.length; cut++) {
				List<byte[]> halves = List.of(Arrays.copyOf(body, cut), Arrays.copyOfRange(body, cut, body.length));
				assertThat(rewrite(rewriter(1000), halves)).as("cut at %s", cut).isEqualTo(whole);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 30, 100 })
	void aBodyOfTheLimitIsRewrittenAndALongerOneIsNot(int chunkSize) {
		byte[] body = Bytes.of("{\"a\":\"0123456789012345678901234567890123456789\"}");
		Result fits = rewrite(rewriter(body.length), Bytes.chunks(body, chunkSize));
		assertThat(fits.outcome()).isEqualTo(RewriteOutcome.ADDED);
		assertThat(fits.length()).isEqualTo(fits.bytes().length);
		Result tooLarge = rewrite(rewriter(body.length - 1), Bytes.chunks(body, chunkSize));
		assertThat(tooLarge.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(tooLarge.bytes()).isEqualTo(body);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 6 })
	void whatComesAfterTheLimitDoesNotCount(int chunkSize) {
		Result result = rewrite(rewriter(4), Bytes.chunks(Bytes.of("     []"), chunkSize));
		assertThat(result.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(result.text()).isEqualTo("     []");
	}

	@Test
	void aBodyThatIsTooLargeLeavesAsSoonAsThatIsKnown() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = rewriter(4).begin(chunks);
		body.add(chunks.chunk("{\"a\""));
		assertThat(body.outcome()).isNull();
		assertThat(body.poll()).isNull();
		body.add(chunks.chunk(":"));
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(chunks.drain(body)).asString().isEqualTo("{\"a\":");
		body.add(chunks.chunk("1}"));
		assertThat(chunks.drain(body)).asString().isEqualTo("1}");
		body.end();
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(body.exactLength()).isEqualTo(-1);
		assertThat(chunks.live()).isZero();
	}

	@Test
	void aBodyThatDoesNotBeginLikeAnObjectIsNotHeld() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = rewriter(1000).begin(chunks);
		body.add(chunks.chunk(" \n"));
		assertThat(body.poll()).isNull();
		body.add(chunks.chunk(" ["));
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
		assertThat(chunks.drain(body)).asString().isEqualTo(" \n [");
		assertThat(chunks.live()).isZero();
	}

	@Test
	void aLimitBeyondTheLongestArrayIsAllowed() {
		assertThat(rewrite(rewriter(Long.MAX_VALUE), List.of(Bytes.of("{}"))).outcome())
			.isEqualTo(RewriteOutcome.ADDED);
	}

	@Test
	void aClockThatFailsIsReportedAndNothingStaysHeld() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = BodyRewriter.of(new RewriteSettings("_gateway", this.engine, 100, "WebFlux", () -> {
			throw new UncheckedIOException(new IOException("no time"));
		})).begin(chunks);
		body.add(chunks.chunk("{}"));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(body::end);
		assertThat(chunks.live()).isZero();
	}

	private void assertRewritten(String body, String expected, RewriteOutcome outcome) {
		assertThat(rewrite(body)).isEqualTo(new Result(Bytes.of(expected), outcome, Bytes.of(expected).length));
	}

	private void assertUnchanged(byte[] body) {
		assertThat(rewrite(rewriter(1_000_000), List.of(body)))
			.isEqualTo(new Result(body, RewriteOutcome.UNCHANGED, body.length));
	}

	private Result rewrite(String body) {
		return rewrite(rewriter(1_000_000), List.of(Bytes.of(body)));
	}

	private BodyRewriter rewriter(long holdLimit) {
		return BodyRewriter
			.of(new RewriteSettings("_gateway", this.engine, holdLimit, "WebFlux", () -> 1702234542456L));
	}

	private static Result rewrite(BodyRewriter rewriter, List<byte[]> parts) {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = rewriter.begin(chunks);
		parts.forEach((part) -> body.add(chunks.chunk(part)));
		body.end();
		byte[] bytes = chunks.drain(body);
		assertThat(chunks.live()).isZero();
		return new Result(bytes, body.outcome(), body.exactLength());
	}

	private static String nested(int depth) {
		return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
	}

	private record Result(byte[] bytes, @Nullable RewriteOutcome outcome, long length) {

		String text() {
			return new String(this.bytes, StandardCharsets.UTF_8);
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Result result && Arrays.equals(this.bytes, result.bytes)
					&& this.outcome == result.outcome && this.length == result.length;
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.bytes);
		}

		@Override
		public String toString() {
			return this.outcome + " " + this.length + " " + text();
		}

	}

}
