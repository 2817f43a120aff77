package io.gatewaybench.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.gatewaybench.differential.Oracle.Run;

/**
 * What has to become of header fields (RFC 9110, sections 5, 7.6, 8.8 and 13; RFC 9113,
 * section 8.2.2; RFC 9530, section 2).
 */
final class Fields {

	/**
	 * Fields of one hop. No message has them behind the gateway.
	 */
	private static final Set<String> HOP = Set.of("proxy-connection", "keep-alive", "te", "upgrade", "http2-settings",
			"trailer", "proxy-authenticate");

	/**
	 * Fields that the gateway makes, or answers, itself.
	 */
	private static final Set<String> OWN = Set.of("host", "connection", "content-length", "transfer-encoding", "expect",
			"date", "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port",
			"x-forwarded-prefix", "x-gateway-type", "x-gateway-instance", "x-served-by");

	/**
	 * What a body in another representation does not keep.
	 */
	private static final Set<String> OF_ONE_BODY = Set.of("content-digest", "repr-digest", "digest", "content-md5",
			"accept-ranges");

	private Fields() {
	}

	private static Map<String, List<String>> byName(List<String> lines) {
		Map<String, List<String>> values = new TreeMap<>();
		for (String line : lines) {
			int colon = line.indexOf(':');
			if (colon > 0) {
				values.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), (name) -> new ArrayList<>())
					.add(line.substring(colon + 1).trim());
			}
		}
		return values;
	}

	private static List<String> lines(List<Map.Entry<String, String>> headers, String others) {
		List<String> lines = new ArrayList<>(others.lines().toList());
		headers.forEach((header) -> lines.add(header.getKey() + ": " + header.getValue()));
		return lines;
	}

	private static Set<String> named(Map<String, List<String>> fields) {
		Set<String> named = new TreeSet<>();
		fields.getOrDefault("connection", List.of())
			.forEach((line) -> Arrays.stream(line.toLowerCase(Locale.ROOT).split(","))
				.map(String::trim)
				.forEach(named::add));
		return named;
	}

	/**
	 * What the upstream got in place of the fields that the client sent.
	 */
	static void judgeRequest(Script script, List<String> head, List<String> complaints) {
		Map<String, List<String>> sent = byName(lines(script.headers(), script.peculiarity().lines()));
		Map<String, List<String>> got = byName(head.subList(1, head.size()));
		Set<String> named = named(sent);
		if (script.http2()) {
			// RFC 9113, section 8.2.3
			sent.computeIfPresent("cookie", (name, cookies) -> List.of(String.join("; ", cookies)));
		}
		boolean rewrite = script.route().equals("rewrite");
		sent.forEach((name, values) -> {
			boolean ends = HOP.contains(name) || named.contains(name);
			List<String> expected = ends ? List.of() : rewrite ? asked(name, values, sent) : values;
			boolean twoTypes = name.equals("content-type") && values.size() > 1;
			if (!OWN.contains(name) && !twoTypes && expected != null) {
				differ("the upstream got", name, expected, got, complaints);
			}
		});
		got.keySet()
			.stream()
			.filter((name) -> !sent.containsKey(name) && !OWN.contains(name))
			.filter((name) -> !(rewrite && name.equals("accept-encoding")))
			.filter((name) -> !KnownDifferences.isAdded(script, name))
			.forEach((name) -> complaints.add("the upstream got a field that nobody sent: " + name));
		HOP.stream().filter(got::containsKey).forEach((name) -> complaints.add("a field of one hop passed: " + name));
		if (rewrite) {
			differ("the upstream got", "accept-encoding", List.of("identity"), got, complaints);
		}
		one("the upstream got", "x-gateway-type", "Web(Flux|MVC)", got, complaints);
		// The client is not trusted to say who it is
		one("the upstream got", "x-forwarded-for", "127.0.0.1", got, complaints);
		one("the upstream got", "x-forwarded-proto", "http", got, complaints);
		one("the upstream got", "x-forwarded-host", "(?i)gateway", got, complaints);
		one("the upstream got", "x-forwarded-port", "80", got, complaints);
		one("the upstream got", "x-forwarded-prefix", "/" + script.route(), got, complaints);
		if (got.getOrDefault("forwarded", List.of()).toString().contains("10.0.0")) {
			complaints.add("the upstream believes a client that is not trusted: " + got.get("forwarded"));
		}
	}

	/**
	 * What is asked for where a body will be another one.
	 * @return {@code null} if another rule decides
	 */
	private static List<String> asked(String name, List<String> values, Map<String, List<String>> sent) {
		String condition = sent.getOrDefault("if-range", List.of("\"")).get(0);
		return switch (name) {
			case "accept-encoding" -> null;
			case "if-match" -> values.stream().map((value) -> value.replaceAll("(^|, *)W/\"", "$1\"")).toList();
			case "range", "if-range" ->
				!condition.startsWith("\"") ? List.of() : sent.containsKey("if-range") ? values : null;
			default -> values;
		};
	}

	/**
	 * What the client got in place of the fields that the upstream sent.
	 */
	static void judgeResponse(Script script, Run run, Coding coding, List<String> complaints) {
		Map<String, List<String>> sent = byName(lines(script.responseHeaders(), script.oddity().lines()));
		sent.putIfAbsent("content-type", List.of(KnownDifferences.type(script.type())));
		List<String> head = run.outcome().head();
		Map<String, List<String>> got = byName(head.subList(1, head.size()));
		KnownDifferences.leaveOutVary(got);
		got.computeIfPresent("content-type", (name, types) -> types.stream().map(KnownDifferences::type).toList());
		Set<String> named = named(sent);
		boolean another = script.mayBeRewritten() && !script.bodiless() && script.status() != 206;
		boolean unknown = coding.byGateway() || (script.route().equals("rewrite") && script.bodiless());
		sent.forEach((name, values) -> {
			boolean ends = HOP.contains(name) || named.contains(name) || (another && OF_ONE_BODY.contains(name));
			List<String> expected = ends ? List.of() : another && name.equals("etag") ? weak(values) : values;
			boolean decided = OWN.contains(name) || KnownDifferences.isLeftOut(script, name + ":")
					|| (unknown && (OF_ONE_BODY.contains(name) || Set.of("etag", "vary").contains(name)));
			if (!decided) {
				differ("the client got", name, expected, got, complaints);
			}
		});
		one("the client got", "x-gateway-type", "Web(Flux|MVC)", got, complaints);
		one("the client got", "x-gateway-instance", "differential", got, complaints);
		one("the client got", "x-served-by", "Spring-Cloud-Gateway-Web(Flux|MVC)", got, complaints);
		if (got.containsKey("proxy-connection")
				|| (script.http2() && (got.containsKey("connection") || got.containsKey("keep-alive")))) {
			complaints.add("a field of one hop passed to the client: " + head);
		}
		if (script.http10() && got.containsKey("transfer-encoding")) {
			complaints.add("a client of HTTP/1.0 got chunks");
		}
		judgeNoBody(script, got, complaints);
		coding.judge(script, byName(head.subList(1, head.size())), complaints);
	}

	/**
	 * HEAD and 304 tell of the body that GET would get.
	 */
	private static void judgeNoBody(Script script, Map<String, List<String>> got, List<String> complaints) {
		boolean head = script.method().equals("HEAD") && !Set.of(204, 205, 206, 304).contains(script.status());
		boolean shown = script.headers().toString().contains("\"1\"") && !script.headers().toString().contains("W/");
		boolean notModified = script.status() == 304 && !shown;
		if (!script.mayBeRewritten() || !(head || notModified)) {
			return;
		}
		boolean strong = got.getOrDefault("etag", List.of()).stream().anyMatch((tag) -> !tag.startsWith("W/"));
		if (strong || got.containsKey("content-length") || OF_ONE_BODY.stream().anyMatch(got::containsKey)) {
			complaints.add("a response without a body tells of the one that was not changed");
		}
	}

	private static List<String> weak(List<String> tags) {
		return tags.stream().map((tag) -> tag.startsWith("W/") ? tag : "W/" + tag).toList();
	}

	private static void one(String who, String name, String pattern, Map<String, List<String>> got,
			List<String> complaints) {
		List<String> values = got.getOrDefault(name, List.of());
		if (values.size() != 1 || !values.get(0).matches(pattern)) {
			complaints.add("%s %s: %s, not one that matches %s".formatted(who, name, values, pattern));
		}
	}

	private static void differ(String who, String name, List<String> expected, Map<String, List<String>> got,
			List<String> complaints) {
		List<String> values = got.getOrDefault(name, List.of());
		if (!values.equals(expected)) {
			complaints.add("%s %s: %s, not %s".formatted(who, name, values, expected));
		}
	}

}
