package io.gatewaybench.internal.rewrite;

import java.util.List;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the engine that puts the field between the bytes does in its own way, with bodies
 * that are no longer than the limit.
 */
class SpliceEngineTests {

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|', ignoreLeadingAndTrailingWhitespace = false,
			value = { "{}|{@}", "{ }|{ @}", " {\t} |\u0020{\t@} ", "{\"a\":1}|{\"a\":1,@}", "{\"a\":1 }|{\"a\":1 ,@}",
					"{ \"a\" : [ 1 , { } ] } |{ \"a\" : [ 1 , { } ] ,@} ", "{\"a\":{}}|{\"a\":{},@}",
					"{\"a\":1.50,\"a\":1e400}|{\"a\":1.50,\"a\":1e400,@}",
					"{\"\\u0061\\/\":\"\\u00e9\"}|{\"\\u0061\\/\":\"\\u00e9\",@}" })
	void theFieldGoesBeforeTheLastBraceAndEveryOtherByteStays(String body, String expected) {
		assertRewritten(body, expected.replace("@", Rewritten.FIELD), RewriteOutcome.ADDED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "-0.5e+7", "null", "true", "\"\"", "\"}\"", "\"\\\"\"", "\"é\"", "[]", "[[],{}]",
			"{}", "{\"_gateway\":{\"_gateway\":2}}", "[1,{\"_gateway\":[]}]" })
	void onlyTheValueOfAFieldThatIsThereIsReplaced(String old) {
		for (String key : List.of("\"_gateway\":", "\"_gateway\" \n:\t ", "\"\\u005fgateway\":", "\"_gatewa\\u0079\" :",
				"\"\\u005F\\u0067\\u0061\\u0074\\u0065\\u0077\\u0061\\u0079\":")) {
			for (String after : List.of("", " ", ",\"b\":2", "\n,\"_gatewa\":1")) {
				assertRewritten("{\"a\":1, " + key + old + after + "}",
						"{\"a\":1, " + key + Rewritten.VALUE + after + "}", RewriteOutcome.REPLACED);
			}
		}
	}

	@Test
	void everyValueOfAFieldThatIsThereMoreThanOnceIsReplaced() {
		assertRewritten("{\"_gateway\":1,\"a\":2,\"\\u005fgateway\":{},\"_gateway\":[3]}",
				"{\"_gateway\":@,\"a\":2,\"\\u005fgateway\":@,\"_gateway\":@}".replace("@", Rewritten.VALUE),
				RewriteOutcome.REPLACED);
		String many = "{" + "\"_gateway\":0,".repeat(1000) + "\"b\":1}";
		assertRewritten(many, many.replace("0", Rewritten.VALUE), RewriteOutcome.REPLACED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "_gatewa", "_gatewayy", "gateway", "_Gateway", "", "\\\\u005fgateway", "_gateway\\n",
			"\\t_gateway", "_gatewaé", "é_gateway", "_gateway\\u0000", "_gate\\/way", "\\u005f\\u005fgateway",
			"\\u015fgateway" })
	void aKeyThatIsOnlySimilarIsNotTheField(String key) {
		String body = "{\"" + key + "\":1}";
		assertRewritten(body, "{\"" + key + "\":1," + Rewritten.FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void aValueOrANestedKeyThatReadsLikeTheFieldIsNotTheField() {
		String body = "{\"a\":\"_gateway\",\"b\":[\"_gateway\",{\"_gateway\":1,\"\\u005fgateway\":2}],\"c\":\"\\u005fgateway\"}";
		assertRewritten(body, body.substring(0, body.length() - 1) + "," + Rewritten.FIELD + "}", RewriteOutcome.ADDED);
	}

	@Test
	void nestingIsLimited() {
		assertThat(rewrite(nested("{\"a\":", "{}", "}", Nesting.MAX_DEPTH - 1)).outcome())
			.isEqualTo(RewriteOutcome.ADDED);
		assertThat(rewrite("{\"a\":" + nested("[", "[]", "]", Nesting.MAX_DEPTH - 2) + "}").outcome())
			.isEqualTo(RewriteOutcome.ADDED);
		assertUnchanged(nested("{\"a\":", "{}", "}", Nesting.MAX_DEPTH));
		assertUnchanged("{\"a\":" + nested("[", "[]", "]", Nesting.MAX_DEPTH - 1) + "}");
		assertUnchanged("{\"a\":".repeat(20_000));
	}

	@Test
	void everyLevelRemembersWhetherItIsAnObject() {
		for (int depth = 1; depth < 300; depth++) {
			String open = "[{\"a\":".repeat(depth);
			String close = "}]".repeat(depth);
			assertThat(rewrite("{\"a\":" + open + "1" + close + "}").outcome()).isEqualTo(RewriteOutcome.ADDED);
			assertUnchanged("{\"a\":" + open + "1" + close.substring(2) + "]}}");
		}
	}

	@Test
	void aNumberMayHaveAnyLengthAndRange() {
		String digits = "9".repeat(100_000);
		for (String number : List.of(digits, "-" + digits, "0." + digits, "1e" + digits, "1e-" + digits,
				digits + "." + digits + "E+" + digits)) {
			String body = "{\"n\":" + number;
			assertRewritten(body + "}", body + "," + Rewritten.FIELD + "}", RewriteOutcome.ADDED);
		}
	}

	@Test
	void anEmptyBodyLeavesAsItCame() {
		assertThat(Rewritten.of(rewriter(), List.of()))
			.isEqualTo(new Rewritten(new byte[0], RewriteOutcome.UNCHANGED, 0));
	}

	@Test
	void aBodyThatTurnsOutBrokenLeavesWithTheChunkThatBreaksIt() {
		CountingChunks chunks = new CountingChunks();
		var body = rewriter().begin(chunks, -1);
		body.add(chunks.chunk("{\"_gateway\":1,"));
		assertThat(body.poll()).isNull();
		body.add(chunks.chunk("},"));
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
		assertThat(chunks.drain(body)).asString().isEqualTo("{\"_gateway\":1,},");
	}

	private static void assertRewritten(String body, String expected, RewriteOutcome outcome) {
		byte[] bytes = Bytes.of(expected);
		assertThat(rewrite(body)).isEqualTo(new Rewritten(bytes, outcome, bytes.length));
	}

	private static void assertUnchanged(String body) {
		assertRewritten(body, body, RewriteOutcome.UNCHANGED);
	}

	private static Rewritten rewrite(String body) {
		return Rewritten.of(rewriter(), List.of(Bytes.of(body)));
	}

	private static BodyRewriter rewriter() {
		return Rewritten.rewriter(Engine.SPLICE, 1_000_000);
	}

	private static String nested(String open, String innermost, String close, int levels) {
		return open.repeat(levels) + innermost + close.repeat(levels);
	}

}
