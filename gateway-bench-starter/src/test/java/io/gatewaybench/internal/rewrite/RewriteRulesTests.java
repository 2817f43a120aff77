package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

class RewriteRulesTests {

	private final CountingChunks chunks = new CountingChunks();

	private final HttpHeaders headers = new HttpHeaders();

	private final RewriteRules rules = RewriteRules.of(List.of("X-Signature"));

	@ParameterizedTest
	@ValueSource(strings = { "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY" })
	void everyMethodWithABodyIsAccepted(String method) {
		this.headers.set("Content-Type", "application/json");
		assertThat(this.rules.accepts(HttpMethod.valueOf(method), 200, this.headers)).isTrue();
	}

	@Test
	void headIsNotAccepted() {
		this.headers.set("Content-Type", "application/json");
		assertThat(this.rules.accepts(HttpMethod.HEAD, 200, this.headers)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 201, 203, 207, 301, 400, 404, 500, 503, 599 })
	void aStatusWithAWholeBodyIsAccepted(int status) {
		this.headers.set("Content-Type", "application/json");
		assertThat(this.rules.accepts(HttpMethod.GET, status, this.headers)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 100, 101, 103, 204, 205, 206, 304 })
	void aStatusWithoutAWholeBodyIsNotAccepted(int status) {
		this.headers.set("Content-Type", "application/json");
		assertThat(this.rules.accepts(HttpMethod.GET, status, this.headers)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "Application/JSON", "application/json;charset=UTF-8",
			"application/json; charset=utf-8", "application/json ; charset=\"UTF-8\"", "application/json;charset=utf8",
			"application/json;CHARSET=Utf-8", "application/json; profile=\"a;b\"", "application/problem+json",
			"application/vnd.api+json;charset=utf-8", "application/HAL+JSON", " application/json ",
			"application/json;charset" })
	void jsonInUtf8IsAccepted(String contentType) {
		assertThat(accepts("Content-Type", contentType)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "json", "application", "application/", "/json", "application/json;charset=",
			"application/json;charset=no such", "application/json;charset=UTF-16",
			"application/json;charset=\"iso-8859-1\"", "application/json;charset=klingon",
			"application/json,application/json", "application/json;q=x", "text/json", "text/plain", "text/event-stream",
			"application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq",
			"application/geo+json-seq", "application/stream+json", "Application/Stream+JSON;charset=utf-8",
			"application/jsonp", "application/*+json", "application/*", "*/*", "application/xml", "application/cbor",
			"model/gltf+json" })
	void everythingElseIsNotAccepted(String contentType) {
		assertThat(accepts("Content-Type", contentType)).isFalse();
	}

	@Test
	void noContentTypeIsNotAccepted() {
		assertThat(this.rules.accepts(HttpMethod.GET, 200, this.headers)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "identity,true", "Identity,true", "gzip,false", "br,false", "'identity, gzip',false", "x-new,false" })
	void onlyABodyInNoCodingIsAccepted(String coding, boolean accepted) {
		this.headers.set("Content-Type", "application/json");
		assertThat(accepts("Content-Encoding", coding)).isEqualTo(accepted);
	}

	@Test
	void everyLineOfCodingsCounts() {
		this.headers.set("Content-Type", "application/json");
		this.headers.add("Content-Encoding", "identity");
		assertThat(accepts("Content-Encoding", "gzip")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "no-cache,true", "'no-store, max-age=0, must-revalidate',true", "'',true", "no-transform,false",
			"'public,No-Transform',false", "'no-transform , max-age=5',false" })
	void whatMayNotBeTransformedIsNotAccepted(String cacheControl, boolean accepted) {
		this.headers.set("Content-Type", "application/json");
		this.headers.add("Cache-Control", "private");
		assertThat(accepts("Cache-Control", cacheControl)).isEqualTo(accepted);
	}

	@Test
	void aRangeIsNotAccepted() {
		this.headers.set("Content-Type", "application/json");
		assertThat(accepts("Content-Range", "bytes 0-1/2")).isFalse();
	}

	@Test
	void whatIsSignedIsNotAccepted() {
		this.headers.set("Content-Type", "application/json");
		assertThat(accepts("x-signature", "abc")).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			W/"a"            | "a"
			"a"              | "a"
			*                | *
			W/"a", "b",W/"c" | "a", "b","c"
			"W/", W/"W/"     | "W/", "W/"
			W/a              | W/a
			""")
	void tagsThatAreComparedStronglyAreStrong(String sent, String expected) {
		this.headers.set("If-Match", sent);
		RewriteRules.prepare(this.headers, true);
		assertThat(this.headers.get("If-Match")).containsExactly(expected);
	}

	@ParameterizedTest
	@CsvSource({ "'W/\"a\"',W/\"a\"", "'\"a\"',\"a\"", "'\"b\", \"a\"',\"a\"", "'\"b\"',W/\"a\"", "*,W/\"a\"" })
	void anUnmodifiedResponseHasTheTagThatTheClientHas(String sent, String expected) {
		HttpHeaders request = new HttpHeaders();
		request.set("If-None-Match", sent);
		this.headers.set("ETag", "\"a\"");
		this.rules.adjustWithoutBody(HttpMethod.GET, 304, request, this.headers);
		assertThat(this.headers.get("ETag")).containsExactly(expected);
	}

	@Test
	void aKnownLengthReplacesWhateverFramedTheBodyBefore() {
		this.headers.set("Content-Length", "3");
		this.headers.set("Transfer-Encoding", "chunked");
		RewriteRules.adjust(this.headers, changed());
		assertThat(this.headers.toSingleValueMap()).containsOnly(Map.entry("Content-Length", "8"));
	}

	@Test
	void anUnknownLengthIsLeftOut() {
		this.headers.set("content-length", "3");
		RewriteRules.adjust(this.headers, new HeldBody<>(new ScriptedSession((e) -> {
		}, (e) -> {
		}), this.chunks, HeldMemory.of(0), 0));
		assertThat(this.headers.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "'\"x\"','W/\"x\"'", "'W/\"x\"','W/\"x\"'", "'\"W/\"','W/\"W/\"'" })
	void aStrongETagBecomesWeak(String before, String after) {
		this.headers.set("ETag", before);
		RewriteRules.adjust(this.headers, changed());
		assertThat(this.headers.get("ETag")).containsExactly(after);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Content-MD5", "Digest", "Content-Digest", "Repr-Digest", "Accept-Ranges", "accept-ranges" })
	void whatIsFalseAboutAChangedBodyIsDropped(String name) {
		this.headers.set(name, "x");
		RewriteRules.adjust(this.headers, changed());
		assertThat(this.headers.containsHeader(name)).isFalse();
	}

	@Test
	void otherHeadersOfAChangedBodyStay() {
		this.headers.set("Last-Modified", "Tue, 15 Nov 1994 12:45:26 GMT");
		this.headers.set("Content-Type", "application/json");
		RewriteRules.adjust(this.headers, changed());
		assertThat(this.headers.headerNames()).containsExactlyInAnyOrder("Last-Modified", "Content-Type",
				"Content-Length");
	}

	@ParameterizedTest
	@EnumSource(names = { "ADDED", "REPLACED" }, mode = Mode.EXCLUDE)
	void theHeadersOfABodyThatLeavesAsItCameStay(RewriteOutcome outcome) {
		this.headers.set("ETag", "\"x\"");
		this.headers.set("Digest", "sha-256=x");
		this.headers.set("Accept-Ranges", "bytes");
		this.headers.set("Content-Length", "3");
		HttpHeaders before = HttpHeaders.copyOf(this.headers);
		RewriteRules.adjust(this.headers, new HeldBody<>(new ScriptedSession((e) -> {
		}, (e) -> {
		}).outcome(outcome), this.chunks, HeldMemory.of(0), 0));
		assertThat(this.headers).isEqualTo(before);
	}

	@Test
	void theUpstreamIsAskedForABodyInNoCoding() {
		this.headers.add("Accept-Encoding", "gzip");
		this.headers.add("Accept-Encoding", "br");
		RewriteRules.prepare(this.headers, true);
		assertThat(this.headers.get("Accept-Encoding")).containsExactly("identity");
	}

	private boolean accepts(String name, String value) {
		this.headers.add(name, value);
		return this.rules.accepts(HttpMethod.GET, 200, this.headers);
	}

	private HeldBody<ByteBuffer> changed() {
		HeldBody<ByteBuffer> body = new HeldBody<>(new ScriptedSession((e) -> {
		}, (e) -> e.insert(new byte[8])), this.chunks, HeldMemory.of(0), 0);
		body.end();
		return body;
	}

}
