package io.gatewaybench.internal.rewrite;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * RFC 8259, rule by rule, whole and cut everywhere. The cases follow "Parsing JSON is a
 * Minefield" (Seriot, 2016): valid, invalid, and left to the implementation.
 */
class SpliceGrammarTests {

	@ParameterizedTest
	@ValueSource(strings = { "0", "-0", "0.0", "-0.0e-0", "1", "-1", "10", "1234567890123456789012345678901234567890",
			"0.1", "0.000000000000000000000000000001", "1e1", "1E1", "1e+1", "1e-1", "0e0", "0E+0", "1e00", "1.5e10",
			"1e400", "-1e400", "1e-400", "1e99999999999999999999", "12345678", "123456789", "1234567.8", "1.2345678",
			"1.23456789", "1e12345678" })
	void numbers(String number) {
		assertValue(number, true);
		assertValue("[" + number + "]", true);
		assertValue("[" + number + " , " + number + "]", true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "01", "00", "-01", "-00", "1.", "1.e1", "0.", ".5", "-.5", "+1", "+0", "1e", "1E", "1e+",
			"1e-", "1ee1", "1e1.5", "1e1e1", "1.5.5", "--1", "-", "-a", "1-", "1+1", "0x1", "0x", "1a", "1_000",
			"1,000", "1 000", "0e", "0e+", "0.e1", "0.3e", "0.3e+", "1.0e", "1.0e+", "2.e3", "2.e+3", "2.e-3", "-1.0.",
			"Infinity", "-Infinity", "NaN", "-NaN", "nan", "inf", "１", "0b1", "0o7", "1f", "1L", "1.5f", "12345678x",
			"123456789x", "-12345678.", "1.2345678e", "#1", "0/1", "0:1" })
	void whatIsNoNumber(String number) {
		assertValue(number, false);
		assertValue("[" + number + "]", false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"\"", "\" \"", "\"a\"", "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"\\b\\f\\n\\r\\t\"",
			"\"\\u0000\"", "\"\\u00e9\\u00E9\\uABCD\\uabcd\"", "\"\\uD83D\\uDE00\"", "\"\\\\u0000\"", "\"\\u0022\"",
			"\"\u007f\"", "\"\u0080\"", "\"\u07ff\"", "\"\u0800\"", "\"\ud7ff\"", "\"\ue000\"", "\"\ufeff\"",
			"\"\ufffe\uffff\"", "\"\ud800\udc00\"", "\"\udbff\udfff\"", "\"é€😀é€😀é€😀\"", "\"/*x*/\"", "\"//\"",
			"\"'\"", "\"{}[]:,\"", "\"1234567\"", "\"12345678\"", "\"123456789\"", "\"123456789012345\\n\"",
			"\"1234567890123456\"", "\"12345678901234567\"", "\"\u2028\u2029\"", "\"\\uD83D\\ude00\\uD83D\"" })
	void strings(String string) {
		assertValue(string, true);
		assertValue("[" + string + "," + string + "]", true);
		assertBody("{" + string + ":1}", true);
		assertBody("{\"a\":{" + string + " :1}}", true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\uD800", "\\uDFFF", "\\uDC00\\uD800", "\\uD800\\uD800", "\\uD800x", "\\uD800\\n",
			"\\ud800\\u0041" })
	void halfASurrogatePairAsAnEscapeIsAllowed(String text) {
		assertValue("\"" + text + "\"", true);
		assertBody("{\"" + text + "\":1}", true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\", "\\x", "\\a", "\\0", "\\'", "\\U0041", "\\u", "\\u0", "\\u00", "\\u004", "\\u004g",
			"\\ug041", "\\u 041", "\\u-041", "\\u+041", "\\u00é", "\\é", "\\\n", "\\ ", "\\\\\\", "\\v", "\\e", "\\N",
			"\\B", "\\u００４１", "\\u004１", "\n", "\r", "\t", "\u0000", "\u0001", "\u001f", "1234567\u001f",
			"12345678\u0000", "\\u00\"", "\"", "\"\"" })
	void whatIsNoString(String text) {
		assertValue("\"" + text + "\"", false);
		assertBody("{\"" + text + "\":1}", false);
	}

	@Test
	void everyControlCharacterIsRefusedAndEveryOtherAsciiCharacterIsNot() {
		for (int c = 0; c < 0x80; c++) {
			for (String before : List.of("", "1234", "1234567", "12345678", "123456789012345", "1234567890123456")) {
				String text = "\"" + before + (char) c + "x\"";
				assertValue(text, c >= ' ' && c != '"' && c != '\\');
			}
		}
	}

	@ParameterizedTest
	@MethodSource
	void utf8(byte[] text) {
		for (String before : List.of("", "1234567", "\\n")) {
			assertBody(around("{\"a\":\"" + before, text, "\"}"), true);
			assertBody(around("{\"" + before, text, "\":1}"), true);
		}
	}

	static Stream<byte[]> utf8() {
		return Stream.of(Bytes.of(0xc2, 0x80), Bytes.of(0xdf, 0xbf), Bytes.of(0xe0, 0xa0, 0x80),
				Bytes.of(0xec, 0xbf, 0xbf), Bytes.of(0xed, 0x80, 0x80), Bytes.of(0xed, 0x9f, 0xbf),
				Bytes.of(0xee, 0x80, 0x80), Bytes.of(0xef, 0xbf, 0xbf), Bytes.of(0xf0, 0x90, 0x80, 0x80),
				Bytes.of(0xf0, 0xbf, 0xbf, 0xbf), Bytes.of(0xf1, 0x80, 0x80, 0x80), Bytes.of(0xf3, 0xbf, 0xbf, 0xbf),
				Bytes.of(0xf4, 0x80, 0x80, 0x80), Bytes.of(0xf4, 0x8f, 0xbf, 0xbf));
	}

	@ParameterizedTest
	@MethodSource
	void whatIsNoUtf8(byte[] text) {
		for (String before : List.of("", "1234567", "\\n", "é")) {
			assertBody(around("{\"a\":\"" + before, text, "\"}"), false);
			assertBody(around("{\"" + before, text, "\":1}"), false);
		}
		assertBody(around("{\"a\":", text, "}"), false);
		assertBody(around("{}", text, ""), false);
		assertBody(around("", text, "{}"), false);
	}

	static Stream<byte[]> whatIsNoUtf8() {
		return Stream.of(
				// a continuation without a lead
				Bytes.of(0x80), Bytes.of(0xbf), Bytes.of(0x80, 0x80),
				// a lead without its continuations
				Bytes.of(0xc2), Bytes.of(0xdf, 'x'), Bytes.of(0xe2, 0x82), Bytes.of(0xe2, 'x', 0x82),
				Bytes.of(0xf0, 0x9f, 0x98), Bytes.of(0xf0, 0x9f, 'x', 0x80), Bytes.of(0xf0), Bytes.of(0xc2, 0xc2, 0x80),
				Bytes.of(0xe2, 0x82, 0xe2), Bytes.of(0xc2, 0xc0), Bytes.of(0xe2, 0x82, 0x7f),
				// longer than necessary
				Bytes.of(0xc0, 0x80), Bytes.of(0xc0, 0xaf), Bytes.of(0xc1, 0xbf), Bytes.of(0xe0, 0x80, 0xaf),
				Bytes.of(0xe0, 0x9f, 0xbf), Bytes.of(0xf0, 0x80, 0x80, 0xaf), Bytes.of(0xf0, 0x8f, 0xbf, 0xbf),
				Bytes.of(0xf8, 0x80, 0x80, 0x80, 0xaf), Bytes.of(0xfc, 0x80, 0x80, 0x80, 0x80, 0xaf),
				// surrogates
				Bytes.of(0xed, 0xa0, 0x80), Bytes.of(0xed, 0xaf, 0xbf), Bytes.of(0xed, 0xb0, 0x80),
				Bytes.of(0xed, 0xbf, 0xbf), Bytes.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
				// above the last character
				Bytes.of(0xf4, 0x90, 0x80, 0x80), Bytes.of(0xf5, 0x80, 0x80, 0x80), Bytes.of(0xf7, 0xbf, 0xbf, 0xbf),
				Bytes.of(0xf8, 0x88, 0x80, 0x80, 0x80), Bytes.of(0xfe), Bytes.of(0xff), Bytes.of(0xff, 0xfe),
				// another charset
				Bytes.of(0xe9), Bytes.of('x', 0xe9, 'x'), Bytes.of(0xa4));
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false", "null", "[]", "{}", "[ ]", "{ }", "[[]]", "[{}]", "{\"\":{}}",
			"[true,false,null]", "[true ,false\t,null\n]", "{\"a\":true,\"b\":false,\"c\":null}", "{\"a\":1,\"a\":1}",
			"{\"\":0}", "{\"a\":[],\"b\":{}}", "[[],[]]", "[{},{}]", "[1,[2,[3,{\"a\":[4]}]],5]",
			"[\n  {\n    \"a\" : 1\n  }\n]", " \t\r\n1 \t\r\n", "{\"a\" \n: \t1 \r,\n \"b\":2}" })
	void otherValues(String value) {
		assertValue(value, true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "tru", "truee", "True", "TRUE", "t", "fals", "falsee", "nul", "nulll", "Null",
			"nil", "none", "undefined", "truefalse", "true false", "n", "f", "]", "}", "[", "{", "[1", "[1,", "[1,]",
			"[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "[1;2]", "[1}", "{]", "[}", "{\"a\"]", "{\"a\"}", "{\"a\":}",
			"{\"a\":1,}", "{,}", "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{\"a\"::1}",
			"{\"a\",1}", "{:1}", "{1:1}", "{null:1}", "{a:1}", "{'a':1}", "'a'", "`a`", "“a”", "[\"a\"", "[\"a", "\"a",
			"\"a\\", "\"a\"\"b\"", "\"a\" \"b\"", "/**/1", "1/**/", "//\n1", "1//\n", "#\n1", "<!---->1", "*", "&",
			"$a", "(1)", "1\f", "\f1", "\u000b1", "1\u0000", "\u00001", "\u00a01", "1\u00a0", "\u20281", "1\u2029",
			"\u20601", "\u30001", "\ufeff1", "1\ufeff", "[\u00a01]", "\u001a", "\u001b", "\u001e1", "@", "\\u0031",
			"\\n", "{\"a\":1}}", "[1]]", "[[1]", "[1]x", "{}x", "<null>", "...", "{...}", "[...]", "{\"a\":1...}", "=1",
			"|", "~", "^", "é" })
	void whatIsNoValue(String value) {
		assertValue(value, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n\n", "{", "{ ", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
			"{\"a\":1, ", "}", "{}}", "{}{}", "{} {}", "{},", "{};", "{}x", "{}1", "{}\"\"", "{}[]", "{}null", "{}//",
			"{}/**/", "{}#", "{}\f", "{}\u0000", "{}\u00a0", "{} \u0000", "{}\ufeff", "\ufeff{}", " \ufeff{}", "\f{}",
			"\u00a0{}", "\u0000{}", "//\n{}", "/**/{}", "[{}]", "[]", "null", "\"{}\"", "1", ")]}',\n{}", "data: {}",
			"\u001e{}\n", "callback({})", "({})", "<{}>", "é{}" })
	void whatIsNoObject(String body) {
		assertBody(body, false);
	}

	private static void assertValue(String value, boolean valid) {
		assertBody("{\"a\":" + value + "}", valid);
		assertBody("{\"a\":[" + "0," + value + "],\"b\":0}", valid);
	}

	private static void assertBody(String body, boolean valid) {
		assertBody(Bytes.of(body), valid);
	}

	private static void assertBody(byte[] body, boolean valid) {
		BodyRewriter rewriter = Rewritten.rewriter(Engine.SPLICE, 1000);
		Rewritten whole = Rewritten.of(rewriter, List.of(body));
		assertThat(whole.outcome()).as(whole.text()).isEqualTo(valid ? RewriteOutcome.ADDED : RewriteOutcome.UNCHANGED);
		if (!valid) {
			assertThat(whole.bytes()).isEqualTo(body);
		}
		for (int cut = 1; cut < body.length; cut++) {
			List<byte[]> halves = List.of(Arrays.copyOf(body, cut), Arrays.copyOfRange(body, cut, body.length));
			assertThat(Rewritten.of(rewriter, halves)).as("cut at %s", cut).isEqualTo(whole);
		}
		assertThat(Rewritten.of(rewriter, Bytes.chunks(body, 1))).as("byte by byte").isEqualTo(whole);
	}

	private static byte[] around(String before, byte[] text, String after) {
		return Bytes.join(List.of(Bytes.of(before), text, Bytes.of(after)));
	}

}
