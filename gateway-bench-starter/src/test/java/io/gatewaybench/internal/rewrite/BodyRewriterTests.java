package io.gatewaybench.internal.rewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
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

	private static final String FIELD = Rewritten.FIELD;

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
	void aFieldOfANestedObjectIsLeftAlone() {
		assertRewritten("{\"a\":{\"_gateway\":1}}", "{\"a\":{\"_gateway\":1}," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void theFieldCanHaveAnotherName() {
		BodyRewriter rewriter = BodyRewriter
			.of(new RewriteSettings("$meta.x-1", this.engine, 100, GatewayMetadata.of("WebMVC", () -> Long.MAX_VALUE)));
		Rewritten result = Rewritten.of(rewriter, List.of(Bytes.of("{\"_gateway\":1}")));
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
		Rewritten result = rewrite(" \t\r\n{ } \t\r\n");
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
			"{\u00a0}", "{\u000b}" })
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

	/**
	 * Jackson 2.21.8 refuses to write one, other versions write it as an escape.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "\\uD800", "\\uDC00", "\\uDC00\\uD800", "\\uD83Dx" })
	void halfASurrogatePairStaysAnEscape(String escape) {
		String body = "{\"" + escape + "\":\"" + escape + "\"}";
		if (this.engine == Engine.JACKSON2 && rewrite(body).outcome() == RewriteOutcome.UNCHANGED) {
			assertUnchanged(Bytes.of(body));
			return;
		}
		assertRewritten(body, "{\"" + escape + "\":\"" + escape + "\"," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void everyChunkingGivesTheSameResult() {
		List<byte[]> corpus = List.of(Bytes.of("{\"k\":[\"é€😀\",-1.5E+3,true],\"_gateway\":{\"a\":\"}\"},\"z\":{}}"),
				Bytes.of(" \n{\"\\u005fgateway\":null} "), Bytes.of("{\"a\":\"\\\"}\"}"), Bytes.of("  [1]  "),
				Bytes.of("{\"a\":1}x"), Bytes.of("{\"a\":\"é"), Bytes.of("  "), Bytes.of(0xef, 0xbb, 0xbf, '{', '}'));
		for (byte[] body : corpus) {
			Rewritten whole = Rewritten.of(rewriter(1000), List.of(body));
			for (int size = 1; size <= body.length; size++) {
				assertThat(Rewritten.of(rewriter(1000), Bytes.chunks(body, size))).as("chunks of %s", size)
					.isEqualTo(whole);
			}
			for (int cut = 0; cut <= body.length; cut++) {
				List<byte[]> halves = List.of(Arrays.copyOf(body, cut), Arrays.copyOfRange(body, cut, body.length));
				assertThat(Rewritten.of(rewriter(1000), halves)).as("cut at %s", cut).isEqualTo(whole);
			}
		}
	}

	@Test
	void aBodyThatDoesNotBeginLikeAnObjectIsNotHeld() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = rewriter(1000).begin(chunks, -1);
		body.add(chunks.chunk(" \n"));
		assertThat(body.poll()).isNull();
		body.add(chunks.chunk(" ["));
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
		assertThat(chunks.drain(body)).asString().isEqualTo(" \n [");
		assertThat(chunks.live()).isZero();
	}

	@Test
	void aLimitBeyondTheLongestArrayIsAllowed() {
		assertThat(Rewritten.of(rewriter(Long.MAX_VALUE), List.of(Bytes.of("{}"))).outcome())
			.isEqualTo(RewriteOutcome.ADDED);
	}

	@Test
	void aClockThatFailsIsReportedAndNothingStaysHeld() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = BodyRewriter
			.of(new RewriteSettings("_gateway", this.engine, 100, GatewayMetadata.of("WebFlux", () -> {
				throw new UncheckedIOException(new IOException("no time"));
			})))
			.begin(chunks, -1);
		body.add(chunks.chunk("{}"));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(body::end);
		assertThat(chunks.live()).isZero();
	}

	private void assertRewritten(String body, String expected, RewriteOutcome outcome) {
		assertThat(rewrite(body)).isEqualTo(new Rewritten(Bytes.of(expected), outcome, Bytes.of(expected).length));
	}

	private void assertUnchanged(byte[] body) {
		assertThat(Rewritten.of(rewriter(1_000_000), List.of(body)))
			.isEqualTo(new Rewritten(body, RewriteOutcome.UNCHANGED, body.length));
	}

	private Rewritten rewrite(String body) {
		return Rewritten.of(rewriter(1_000_000), List.of(Bytes.of(body)));
	}

	private BodyRewriter rewriter(long maxBufferSize) {
		return Rewritten.rewriter(this.engine, maxBufferSize);
	}

}
