package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.List;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the engines that build a tree do in their own way.
 */
@ParameterizedClass
@EnumSource(names = { "JACKSON3", "JACKSON2" })
class TreeEngineTests {

	private static final String FIELD = Rewritten.FIELD;

	private final Engine engine;

	TreeEngineTests(Engine engine) {
		this.engine = engine;
	}

	@Test
	void aFieldWrittenWithEscapesIsReplacedToo() {
		assertRewritten("{\"\\u005fgate\\u0077ay\":1,\"b\":2}", "{" + FIELD + ",\"b\":2}", RewriteOutcome.REPLACED);
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
	void aCharacterWhoseLowByteIsAHexDigitIsNone() {
		// U+0130 ends in the byte of '0', and half of U+1D600 in that of '5'
		assertUnchanged(Bytes.of("{\"a\":\"\\u004\u0130\"}"));
		assertUnchanged(Bytes.of("{\"a\":\"\\u004\ud835\ude00\"}"));
		assertRewritten("{\"a\":\"\\\\u004\u0130\"}", "{\"a\":\"\\\\u004\u0130\"," + FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void theLastOfTwoMembersWithTheSameKeyCounts() {
		Rewritten result = rewrite("{\"a\":1,\"b\":2,\"a\":3}");
		assertThat(result.text()).isEqualTo("{\"a\":3,\"b\":2," + FIELD + "}");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 30, 100 })
	void aBodyOfTheLimitIsRewrittenAndALongerOneIsNot(int chunkSize) {
		byte[] body = Bytes.of("{\"a\":\"0123456789012345678901234567890123456789\"}");
		Rewritten fits = Rewritten.of(rewriter(body.length), Bytes.chunks(body, chunkSize));
		assertThat(fits.outcome()).isEqualTo(RewriteOutcome.ADDED);
		assertThat(fits.length()).isEqualTo(fits.bytes().length);
		Rewritten tooLarge = Rewritten.of(rewriter(body.length - 1), Bytes.chunks(body, chunkSize));
		assertThat(tooLarge.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(tooLarge.bytes()).isEqualTo(body);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 6 })
	void whatComesAfterTheLimitDoesNotCount(int chunkSize) {
		Rewritten result = Rewritten.of(rewriter(4), Bytes.chunks(Bytes.of("     []"), chunkSize));
		assertThat(result.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		assertThat(result.text()).isEqualTo("     []");
	}

	@Test
	void aBodyThatIsTooLargeLeavesAsSoonAsThatIsKnown() {
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = rewriter(4).begin(chunks, -1);
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
	void anExponentThatNoBigDecimalHasIsRefused() {
		assertUnchanged(Bytes.of("{\"a\":1e99999999999}"));
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

	private static String nested(int depth) {
		return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
	}

}
