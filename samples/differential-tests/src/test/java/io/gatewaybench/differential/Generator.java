package io.gatewaybench.differential;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Makes a script of a seed.
 */
final class Generator {

	private static final List<String> METHODS = List.of("GET", "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE",
			"HEAD", "OPTIONS", "PURGE", "PROPFIND");

	private static final List<String> TARGETS = List.of("/x", "/", "/a%20b", "/%C3%A9", "/a+b;v=1/c", "/x?", "/x?a=1&b",
			"/x?q=a+b%20c&q=2", "/deep/er/and/deeper/", "//x", "/x?a=/b?c", "/x%7Ey", "/x?b=2&a=1&&");

	private static final List<String> HEADERS = List.of("X-A:1", "X-A:1|X-A:2", "Cookie:a=1;+b=2", "User-Agent:test/1",
			"Accept:*/*", "Accept:text/html,+*/*;q=0.1", "Accept-Encoding:gzip", "Content-Type:text/plain",
			"Content-Type:application/x-www-form-urlencoded", "Content-Type:application/json;charset=utf-8",
			"Authorization:Basic+Zm9vOmJhcg==", "X-Forwarded-For:10.0.0.1", "Forwarded:for=10.0.0.1",
			"Cache-Control:no-cache", "Range:bytes=0-10", "If-Modified-Since:Tue,+15+Nov+1994+12:45:26+GMT",
			"If-None-Match:\"1\"", "X-Empty:", "Origin:http://elsewhere", "Accept-Language:de,+en;q=0.5",
			"Via:1.1+somebody", "TE:trailers", "Referer:http://elsewhere/x", "Date:Tue,+15+Nov+1994+12:45:26+GMT");

	private static final List<String> RESPONSE_HEADERS = List.of("X-B:1", "ETag:\"1\"", "Cache-Control:max-age=60",
			"Location:/elsewhere", "Vary:Accept", "Set-Cookie:a=1;+Path=/", "Content-Language:en", "Server:odd/1",
			"WWW-Authenticate:Basic+realm=x", "Via:1.1+someone", "Date:Tue,+15+Nov+1994+12:45:26+GMT",
			"Content-Encoding:gzip", "Expires:0", "Pragma:no-cache", "X-Content-Type-Options:nosniff",
			"Last-Modified:Tue,+15+Nov+1994+12:45:26+GMT", "Retry-After:3", "Warning:199+-+old", "X-Empty:");

	private static final List<Integer> STATUS = List.of(200, 200, 200, 201, 202, 204, 205, 206, 301, 304, 400, 401, 404,
			409, 418, 429, 500, 503, 299, 599);

	private final Random random;

	private final Map<String, String> choices = new TreeMap<>();

	private Generator(long seed) {
		this.random = new Random(seed);
	}

	static Script script(long seed) {
		Generator generator = new Generator(seed);
		generator.request();
		generator.response();
		generator.trouble();
		return new Script(generator.choices);
	}

	private void request() {
		choose(0.4, "protocol", "h2");
		choose(0.5, "route", "rewrite");
		choose(1, "method", METHODS);
		choose(0.4, "target", TARGETS);
		choose(0.4, "headers", HEADERS);
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
	}

	private void response() {
		choose(0.6, "status", STATUS);
		choose(0.5, "type", "json");
		choose(0.7, "rsize", size());
		choose(0.5, "framing", List.of("chunked", "chunked", "close"));
		choose(0.3, "rpieces", 2 + this.random.nextInt(5));
		choose(0.3, "rpause", this.random.nextInt(60));
		choose(0.15, "rtrailers", "true");
		choose(0.3, "rheaders", RESPONSE_HEADERS);
		choose(0.15, "interim", List.of("100", "102", "103", "103,103", "100,103"));
		choose(0.1, "answer", List.of("head", "deaf"));
		if (chance(0.25)) {
			choose(1, "odd", Arrays.stream(Script.Oddity.values()).map(Enum::name).toList());
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
		// A stream of HTTP/2 without a body has no bytes to leave out
		if ("h2".equals(this.choices.get("protocol")) && !this.choices.containsKey("body")) {
			this.choices.remove("cut");
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

	private void choose(double probability, String name, Object value) {
		if (chance(probability)) {
			this.choices.put(name, String.valueOf(value));
		}
	}

	private void choose(double probability, String name, List<?> values) {
		choose(probability, name, values.get(this.random.nextInt(values.size())));
	}

}
