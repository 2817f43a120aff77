package io.gatewaybench.differential;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Makes a script of a seed.
 */
final class Generator {

	private static final List<String> METHODS = List.of("GET", "GET", "GET", "GET", "GET", "POST", "POST", "POST",
			"PUT", "PUT", "PATCH", "DELETE", "HEAD", "HEAD", "OPTIONS", "PURGE", "PROPFIND", "get", "TRACE", "CONNECT");

	private static final List<String> TARGETS = List.of("/x", "/", "/a%20b", "/%C3%A9", "/a+b;v=1/c", "/x?", "/x?a=1&b",
			"/x?q=a+b%20c&q=2", "/deep/er/and/deeper/", "//x", "/x?a=/b?c", "/x%7Ey", "/x?b=2&a=1&&", "/a/../b", "/./a",
			"/a/%2e%2e/b", "/...", "/a//b//", "/;a=b/..;c/d", "/x?a[]=1&b=%00", "/x?../../a", "/x{5000}");

	/**
	 * Names and values, in any case, with gaps of any kind between them.
	 */
	private static final List<String> HEADERS = List.of("X-A:1", "X-A:1|X-A:2", "X-A:1|x-a:2|X-a:3", "X-Gateway-Type:a",
			"X-Gateway-Type:a|x-gateway-type:b", "Cookie:a=1;+b=2", "Cookie:a=1|cookie:b=2", "Cookie:=;;+\"",
			"User-Agent:test/1", "Accept:*/*", "Accept:text/html,+*/*;q=0.1", "Accept:nonsense", "accept:a/b/c;q=x",
			"Content-Type:text/plain", "Content-Type:nonsense", "Content-Type:a/b/c;;",
			"Content-Type:application/x-www-form-urlencoded", "Content-Type:application/json;charset=utf-8",
			"Content-Type:multipart/form-data", "Authorization:Basic+Zm9vOmJhcg==", "X-Forwarded-For:10.0.0.1",
			"X-Forwarded-For:10.0.0.1|x-forwarded-for:10.0.0.2", "Forwarded:for=10.0.0.1", "Forwarded:proto=https",
			"Forwarded:;;,", "Forwarded:for=10.0.0.1|forwarded:for=10.0.0.2", "X-Forwarded-Prefix:/10.0.0.1",
			"X-Forwarded-Proto:https|X-Forwarded-Host:10.0.0.1|X-Forwarded-Port:1", "Cache-Control:no-cache",
			"Origin:http://elsewhere", "Origin:::", "Accept-Language:de,+en;q=0.5", "Accept-Language:;;q",
			"Via:1.1+somebody", "TE:trailers", "TE:trailers|te:trailers;q=0.5", "Referer:http://elsewhere/x",
			"Date:Tue,+15+Nov+1994+12:45:26+GMT", "Date:yesterday", "X-Empty:", "X-Latin:\u00e9",
			"X-Euro:\u00e2\u0082\u00ac", "Connection:X-A|X-A:1", "Connection:x-a,+X-Hop|X-Hop:1|x-hop:2|X-A:1",
			"connection:X-Gateway-Type", "Connection:keep-alive", "Connection:x-b|CONNECTION:X-A|X-A:1|X-B:2",
			"Proxy-Connection:keep-alive", "Keep-Alive:timeout=5|keep-alive:max=3",
			"Connection:keep-alive,+Keep-Alive|Keep-Alive:timeout=5");

	/**
	 * What asks for a part of a body, or for a body on a condition.
	 */
	private static final List<String> CONDITIONS = List.of("Range:bytes=0-10", "Range:bytes=0-1,3-4", "range:lines=1",
			"Range:bytes=0-10|If-Range:\"1\"", "Range:bytes=0-10|If-Range:W/\"1\"",
			"Range:bytes=0-10|if-range:Tue,+15+Nov+1994+12:45:26+GMT",
			"If-Modified-Since:Tue,+15+Nov+1994+12:45:26+GMT", "If-Modified-Since:yesterday", "If-None-Match:\"1\"",
			"If-None-Match:W/\"1\"", "If-None-Match:*", "If-None-Match:nonsense", "If-Match:\"1\"",
			"If-Match:W/\"1\",+W/\"2\"", "if-match:W/\"W/\"", "If-Match:*",
			"If-Unmodified-Since:Tue,+15+Nov+1994+12:45:26+GMT", "If-Unmodified-Since:tomorrow");

	private static final List<String> CODINGS = List.of("Accept-Encoding:gzip", "Accept-Encoding:gzip,+deflate,+br",
			"accept-encoding:gzip;q=0", "Accept-Encoding:*", "Accept-Encoding:identity", "Accept-Encoding:snappy,+lz4",
			"Accept-Encoding:*;q=0,+identity", "Accept-Encoding:br;q=1.0,+gzip;q=0.8,+*;q=0.1",
			"Accept-Encoding:gzip;q=nonsense");

	private static final List<String> FORMS = List.of("absolute", "absolute", "elsewhere", "authority", "asterisk");

	private static final List<String> TYPES = List.of("nonsense", "text/", "a/b/c;;", "application/x-ndjson",
			"application/json-seq", "multipart/x-mixed-replace;boundary=x", "application/json;stream=watch",
			"application/json;+charset=latin1", "text/event-stream", "application/octet-stream");

	private static final List<String> RESPONSE_HEADERS = List.of("X-B:1", "ETag:\"1\"", "etag:W/\"1\"",
			"Cache-Control:max-age=60", "Cache-Control:no-transform", "cache-control:public|Cache-Control:No-Transform",
			"Location:/elsewhere", "Vary:Accept", "Set-Cookie:a=1;+Path=/", "Set-Cookie:a=1|set-cookie:b=2",
			"Content-Language:en", "Server:odd/1", "WWW-Authenticate:Basic+realm=x", "Via:1.1+someone",
			"Date:Tue,+15+Nov+1994+12:45:26+GMT", "Content-Encoding:gzip", "Expires:0", "Expires:never",
			"Pragma:no-cache", "X-Content-Type-Options:nosniff", "Last-Modified:Tue,+15+Nov+1994+12:45:26+GMT",
			"Last-Modified:Tue,+15+Nov+2022+12:45:26+GMT", "Last-Modified:yesterday", "Retry-After:3",
			"Warning:199+-+old", "X-Empty:", "Accept-Ranges:bytes", "accept-ranges:bytes|ETag:\"1\"",
			"Content-Digest:sha-256=:YQ==:|Repr-Digest:sha-256=:YQ==:", "digest:sha-256=YQ==|Content-MD5:YQ==",
			"Signature:a=:YQ==:|Signature-Input:a=(\"content-digest\")|Content-Digest:sha-256=:YQ==:",
			"x-jws-signature:a..b", "X-Signature:a", "Docker-Content-Digest:sha256:a", "X-Amz-Checksum-Sha256:YQ==",
			"Content-Range:bytes+0-10/20", "X-Gateway-Type:a|x-gateway-type:b", "x-served-by:a",
			"X-Latin:\u00e9\u0080");

	/**
	 * A condition or wish of the client, and what an upstream says to it that knows none.
	 */
	private static final List<Map.Entry<String, String>> PAIRS = List.of(
			Map.entry("If-Unmodified-Since:Tue,+15+Nov+1994+12:45:26+GMT",
					"Last-Modified:Tue,+15+Nov+2022+12:45:26+GMT"),
			Map.entry("If-Modified-Since:Tue,+15+Nov+2022+12:45:26+GMT", "Last-Modified:Tue,+15+Nov+1994+12:45:26+GMT"),
			Map.entry("If-None-Match:\"1\"", "ETag:\"1\""), Map.entry("If-Match:\"2\"", "ETag:\"1\""),
			Map.entry("Accept-Encoding:gzip", "Cache-Control:no-transform"),
			Map.entry("Accept-Encoding:gzip", "ETag:\"1\""),
			Map.entry("Accept-Encoding:gzip", "Content-Digest:sha-256=:YQ==:"),
			Map.entry("Accept-Encoding:gzip", "Content-Range:bytes+0-10/20"));

	private static final List<Integer> STATUS = List.of(200, 200, 200, 200, 200, 201, 202, 204, 205, 206, 301, 304, 304,
			400, 401, 404, 409, 412, 416, 418, 429, 500, 503, 299, 599);

	private final Random random;

	private final Map<String, String> choices = new TreeMap<>();

	private Generator(long seed) {
		// The first numbers for seeds that are close are close as well
		this.random = new Random(seed * 0x9E3779B97F4A7C15L);
	}

	static Script script(long seed) {
		Generator generator = new Generator(seed);
		generator.request();
		generator.response();
		generator.trouble();
		generator.agree();
		return new Script(generator.choices);
	}

	private void request() {
		choose(0.35, "protocol", "h2");
		choose(0.5, "route", "rewrite");
		choose(1, "method", METHODS);
		choose(0.4, "target", TARGETS);
		choose(0.05, "target", List.copyOf(Oracle.REFUSED_TARGETS.keySet()));
		join("headers", 0.4, HEADERS, 0.2, HEADERS, 0.2, CONDITIONS, 0.15, CODINGS);
		boolean usual = List.of("POST", "PUT", "PATCH").contains(this.choices.get("method"));
		if (chance(usual ? 0.8 : 0.1)) {
			choose(1, "body", List.of("length", "chunked"));
			choose(1, "size", size());
			choose(0.3, "pieces", 2 + this.random.nextInt(4));
			choose(0.3, "pause", this.random.nextInt(60));
			choose(0.15, "expect", "true");
			choose(0.15, "trailers", "true");
		}
		choose(0.1, "readPause", this.random.nextInt(300));
		choose(0.3, "split", this.random.nextInt(1000));
		choose(0.08, "version", "1.0");
		choose(0.08, "pipelined", 1 + this.random.nextInt(3));
		choose(0.05, "form", FORMS);
		choose(0.12, "request", Arrays.stream(Peculiarity.values()).map(Enum::name).toList());
		if (usual && chance(0.06)) {
			this.choices.put("route", "query");
			this.choices.put("target", "/x?q=1");
			this.choices.put("headers", "Content-Type:multipart/form-data;+boundary=b");
			this.choices.remove("request");
		}
	}

	private void response() {
		choose(0.6, "status", STATUS);
		choose(0.5, "type", "json");
		choose(0.1, "rtype", TYPES);
		choose(0.7, "rsize", size());
		choose(0.5, "framing", List.of("chunked", "chunked", "close"));
		choose(0.3, "rpieces", 2 + this.random.nextInt(5));
		choose(0.3, "rpause", this.random.nextInt(60));
		choose(0.1, "paced", "true");
		choose(0.15, "rtrailers", "true");
		join("rheaders", 0.4, RESPONSE_HEADERS, 0.2, RESPONSE_HEADERS);
		choose(0.15, "interim", List.of("100", "102", "103", "103,103", "100,103"));
		choose(0.1, "answer", List.of("head", "deaf"));
		if (chance(0.25)) {
			choose(1, "odd", Arrays.stream(Script.Oddity.values()).map(Enum::name).toList());
		}
	}

	/**
	 * Leave out what does not go together.
	 */
	private void agree() {
		if ("h2".equals(this.choices.get("protocol"))) {
			List.of("split", "version", "pipelined", "form", "request").forEach(this.choices::remove);
			// A stream with a field of the connection is malformed
			this.choices.computeIfPresent("headers",
					(name, lines) -> lines.matches("(?i).*(connection:|keep-alive:|te:trailers;).*") ? null : lines);
			// CONNECT has no path there
			this.choices.replace("method", "CONNECT", "GET");
			this.choices.computeIfPresent("target", (name, target) -> target.contains("{") ? null : target);
			// A stream without a body has no bytes to leave out
			if (!this.choices.containsKey("body")) {
				this.choices.remove("cut");
			}
		}
		// One reason to refuse a request, so that the answer to it is certain
		if (Set.of("TRACE", "CONNECT").contains(this.choices.get("method"))) {
			List.of("request", "form", "version").forEach(this.choices::remove);
		}
		if (!"NONE".equals(this.choices.getOrDefault("request", "NONE"))) {
			List.of("body", "form", "version", "expect").forEach(this.choices::remove);
		}
		if (this.choices.containsKey("version")) {
			// Tomcat goes by the host of the target, Netty's gateway refuses it. Both may
			// (RFC 9112, section 3.2.2)
			this.choices.remove("form", "elsewhere");
			this.choices.remove("expect");
			this.choices.remove("pipelined");
		}
		if ("MANY_TRAILERS".equals(this.choices.get("request"))) {
			// The first request of a connection may have more than the others
			this.choices.put("pipelined", "1");
		}
		boolean refused = !Oracle.answers(new Script(this.choices)).isEmpty();
		String target = this.choices.remove("target");
		if (target != null && !(refused && Oracle.REFUSED_TARGETS.containsKey(target)
				&& !Oracle.answers(new Script(this.choices)).isEmpty())) {
			this.choices.put("target", target);
		}
		if (this.choices.containsKey("pipelined") || this.choices.containsKey("request")) {
			List.of("cut", "malformed", "leave", "readPause").forEach(this.choices::remove);
		}
		if (!Oracle.answers(new Script(this.choices)).isEmpty()) {
			List.of("cut", "malformed", "leave", "expect", "fails").forEach(this.choices::remove);
		}
		if (chance(0.06)) {
			Map.Entry<String, String> pair = PAIRS.get(this.random.nextInt(PAIRS.size()));
			this.choices.put("headers", pair.getKey());
			this.choices.put("rheaders", pair.getValue());
			this.choices.remove("odd");
		}
		if (chance(0.006)) {
			this.choices.keySet().retainAll(Set.of("body", "pieces"));
			this.choices.putAll(Map.of("answer", "echo", "method", "POST"));
			this.choices.put("size", String.valueOf(10_000_000 + this.random.nextInt(2_000_000)));
			this.choices.putIfAbsent("body", "chunked");
		}
	}

	private void trouble() {
		switch (this.random.nextInt(12)) {
			case 0, 1 -> {
				choose(1, "cut", this.random.nextInt(1000));
				choose(0.5, "cutBy", "reset");
			}
			case 2 -> choose(1, "malformed", "true");
			case 3 -> choose(1, "leave", this.random.nextInt(100_000));
			case 4, 5 -> {
				choose(1, "rcut", this.random.nextInt(1000));
				choose(0.6, "rcutBy", List.of("reset", "reset", "reset", "silence"));
			}
			case 6 -> {
				choose(1, "fails", 1 + this.random.nextInt(2));
				choose(0.5, "failBy", "head");
			}
			default -> {
				// All goes well
			}
		}
	}

	private int size() {
		return switch (this.random.nextInt(6)) {
			case 0 -> 0;
			case 1 -> 1 + this.random.nextInt(10);
			case 2, 3 -> this.random.nextInt(5_000);
			case 4 -> this.random.nextInt(100_000);
			default -> this.random.nextInt(700_000);
		};
	}

	private boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	/**
	 * Choose header lines.
	 * @param tables probabilities, each with a table behind it
	 */
	private void join(String name, Object... tables) {
		StringJoiner lines = new StringJoiner("|");
		for (int i = 0; i < tables.length; i += 2) {
			List<?> table = (List<?>) tables[i + 1];
			if (chance((double) tables[i])) {
				lines.add((String) table.get(this.random.nextInt(table.size())));
			}
		}
		choose((lines.length() > 0) ? 1 : 0, name, lines.toString());
	}

	private void choose(double probability, String name, Object value) {
		if (chance(probability)) {
			this.choices.put(name, String.valueOf(value));
		}
	}

	private void choose(double probability, String name, List<?> values) {
		choose(probability, name, values.get(this.random.nextInt(values.size())));
	}

}
