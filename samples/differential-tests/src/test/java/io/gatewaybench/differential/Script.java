package io.gatewaybench.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What one client and one upstream do: all in which they differ from a client that sends
 * a plain GET and an upstream that answers with a short text. It is written and read as
 * one line, such as {@code method=POST body=chunked size=5000 cut=40}.
 *
 * @param choices names and values
 */
record Script(Map<String, String> choices) {

	/**
	 * What a response has that passes as it came: a coding, {@code no-transform}, a
	 * signature.
	 */
	private static final Pattern UNCHANGED = Pattern
		.compile("(?i)(content-encoding|signature|signature-input|x-jws-signature|x-signature|docker-content-digest"
				+ "|x-amz-checksum-sha256|content-range):|no-transform");

	private static final Pattern MANY = Pattern.compile("\\{(\\d+)}");

	private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

	static Script parse(String line) {
		Map<String, String> choices = new TreeMap<>();
		for (String choice : line.trim().split("\\s+")) {
			String[] parts = choice.split("=", 2);
			choices.put(parts[0], parts[1]);
		}
		return new Script(choices);
	}

	Script without(String name) {
		Map<String, String> fewer = new TreeMap<>(this.choices);
		fewer.remove(name);
		return new Script(fewer);
	}

	@Override
	public String toString() {
		return this.choices.entrySet()
			.stream()
			.map((choice) -> choice.getKey() + "=" + choice.getValue())
			.collect(Collectors.joining(" "));
	}

	private String text(String name, String otherwise) {
		return this.choices.getOrDefault(name, otherwise);
	}

	private int number(String name, int otherwise) {
		return Integer.parseInt(text(name, String.valueOf(otherwise)));
	}

	private boolean has(String name) {
		return this.choices.containsKey(name);
	}

	// The client

	boolean http2() {
		return text("protocol", "h1").equals("h2");
	}

	String method() {
		return text("method", "GET");
	}

	/**
	 * First part of the path, which chooses the route: {@code plain}, {@code rewrite}, or
	 * {@code query} for one that asks for a parameter.
	 */
	String route() {
		return text("route", "plain");
	}

	/**
	 * What follows the part of the path that tells which script it is. A number in braces
	 * stands for so many letters.
	 */
	String target() {
		return MANY.matcher(text("target", "/x")).replaceAll((many) -> "x".repeat(Integer.parseInt(many.group(1))));
	}

	/**
	 * Names and values of further headers. A plus sign stands for a space.
	 */
	List<Map.Entry<String, String>> headers() {
		return entries(text("headers", ""));
	}

	private static List<Map.Entry<String, String>> entries(String value) {
		return Arrays.stream(value.split("\\|")).filter((line) -> !line.isEmpty()).map((line) -> {
			String[] parts = line.replace('+', ' ').split(":", 2);
			return Map.entry(parts[0], parts[1]);
		}).toList();
	}

	boolean http10() {
		return text("version", "1.1").equals("1.0") && !http2();
	}

	/**
	 * Form of the target (RFC 9112, section 3.2): {@code origin}, {@code absolute},
	 * {@code elsewhere} for an absolute one with another host, {@code authority} or
	 * {@code asterisk}.
	 */
	String form() {
		return text("form", "origin");
	}

	Peculiarity peculiarity() {
		return Peculiarity.valueOf(text("request", "NONE"));
	}

	/**
	 * How many other requests come with this one, in front of it. This one is the last of
	 * its connection then.
	 */
	int pipelined() {
		return number("pipelined", 0);
	}

	/**
	 * Part of the head in per mille that comes on its own, or -1.
	 */
	int split() {
		return number("split", -1);
	}

	/**
	 * How the end of the body is told: {@code none} where there is none, {@code length}
	 * or {@code chunked}, which over HTTP/2 is to say no length, and {@code own} where
	 * the request is peculiar in that.
	 */
	String body() {
		return peculiarity().frames() ? "own" : text("body", "none");
	}

	boolean hasBody() {
		return !body().equals("none");
	}

	byte[] content() {
		if (peculiarity().frames()) {
			return peculiarity().content();
		}
		return hasBody() ? bytes(number("size", 10)) : new byte[0];
	}

	/**
	 * Tomcat takes many small frames for an attack.
	 */
	int pieces() {
		int pieces = number("pieces", 1);
		return http2() ? Math.max(1, Math.min(pieces, content().length / 2048)) : pieces;
	}

	/**
	 * Milliseconds before each piece.
	 */
	int pause() {
		return number("pause", 0);
	}

	boolean expects() {
		return has("expect") && hasBody();
	}

	boolean trailers() {
		return has("trailers") && body().equals("chunked");
	}

	/**
	 * Part of the request in per mille after which the client breaks off, or -1.
	 */
	int cut() {
		return number("cut", -1);
	}

	/**
	 * How the client breaks off, {@code close} or {@code reset}.
	 */
	String cutBy() {
		return text("cutBy", "close");
	}

	/**
	 * Whether the client's chunks are none.
	 */
	boolean malformed() {
		return has("malformed") && body().equals("chunked") && !http2();
	}

	/**
	 * How many bytes of the body of the response the client reads before it leaves, or -1
	 * where it reads all.
	 */
	int leave() {
		return number("leave", -1);
	}

	/**
	 * Milliseconds that the client waits before it reads.
	 */
	int readPause() {
		return number("readPause", 0);
	}

	boolean clientBreaksOff() {
		return cut() >= 0 || malformed();
	}

	boolean mayBeRepeated() {
		return IDEMPOTENT.contains(method()) && content().length == 0;
	}

	// The upstream

	/**
	 * How many attempts fail before one is answered, and each how: {@code accept},
	 * {@code head} or {@code request} was read, then the connection is reset.
	 */
	int fails() {
		return number("fails", 0);
	}

	String failBy() {
		return text("failBy", "request");
	}

	/**
	 * When the upstream answers: after the {@code whole} request; after its {@code head},
	 * and reads the rest; or after its head and then reads no more ({@code deaf}); or
	 * with what it reads, while it reads ({@code echo}).
	 */
	String answer() {
		return text("answer", "whole");
	}

	boolean echoes() {
		return answer().equals("echo");
	}

	/**
	 * Whether each piece of the response leaves the upstream when the client has the one
	 * before.
	 */
	boolean paced() {
		return has("paced") && !mayBeRewritten() && !text("headers", "").contains("ccept-")
				&& !text("headers", "").contains("ACCEPT-");
	}

	List<Integer> interim() {
		return Arrays.stream(text("interim", "").split(","))
			.filter((status) -> !status.isEmpty())
			.map(Integer::valueOf)
			.toList();
	}

	int status() {
		return number("status", 200);
	}

	/**
	 * What the upstream's status line or header has that it should not, or seldom has.
	 */
	Oddity oddity() {
		return Oddity.valueOf(text("odd", "NONE"));
	}

	/**
	 * Whether the response is one as RFC 9112 allows. HTTP/1.0 has no chunks.
	 */
	boolean isLegal() {
		return oddity().legal() && !(oddity() == Oddity.HTTP_1_0 && framing().equals("chunked"));
	}

	/**
	 * Whether the connection ends before as many bytes have come as the response says it
	 * has.
	 */
	boolean endsEarly() {
		return oddity() == Oddity.OTHER_LENGTH && framing().equals("close") && !bodiless()
				&& responseContent().length < Oddity.LENGTH;
	}

	/**
	 * {@code length}, {@code chunked} or {@code close}.
	 */
	String framing() {
		return echoes() ? "chunked" : text("framing", "length");
	}

	/**
	 * Whether the upstream takes another request on the same connection. What is odd is
	 * not to be found in the next response.
	 */
	boolean keepsConnection() {
		return !framing().equals("close") && !answer().equals("deaf") && isLegal() && oddity() != Oddity.HTTP_1_0
				&& oddity() != Oddity.CONNECTION_CLOSE;
	}

	List<Map.Entry<String, String>> responseHeaders() {
		return entries(text("rheaders", ""));
	}

	boolean json() {
		return text("type", "text").equals("json") && status() != 205 && !echoes();
	}

	/**
	 * Type of the response.
	 */
	String type() {
		return text("rtype", json() ? "application/json" : "text/plain").replace('+', ' ');
	}

	/**
	 * Whether the body gets the field, if there is one: nothing says that it is not to be
	 * changed.
	 */
	boolean mayBeRewritten() {
		return route().equals("rewrite") && json() && !has("rtype") && !UNCHANGED.matcher(text("rheaders", "")).find();
	}

	byte[] responseContent() {
		if (echoes()) {
			return content();
		}
		// The only content that a reset has is none
		int size = (status() == 205) ? 0 : number("rsize", 20);
		if (!json()) {
			return bytes(size);
		}
		return ("{\"a\":\"" + "x".repeat(size) + "\"}").getBytes(StandardCharsets.US_ASCII);
	}

	int responsePieces() {
		return number("rpieces", 1);
	}

	int responsePause() {
		return number("rpause", 0);
	}

	boolean responseTrailers() {
		return has("rtrailers") && framing().equals("chunked");
	}

	/**
	 * Part of the response in per mille after which the upstream breaks off, or -1.
	 */
	int responseCut() {
		return number("rcut", -1);
	}

	/**
	 * How the upstream breaks off: {@code close}, {@code reset} or {@code silence}.
	 */
	String responseCutBy() {
		return text("rcutBy", "close");
	}

	/**
	 * Whether the response has no body whatever its header says.
	 */
	boolean bodiless() {
		return method().equals("HEAD") || status() == 204 || status() == 304;
	}

	/**
	 * Bytes that tell where they belong.
	 */
	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		for (int i = 0; i < size; i++) {
			bytes[i] = (byte) ('a' + (i + i / 1000) % 26);
		}
		return bytes;
	}

	/**
	 * Cut something into as many pieces as it shall have.
	 */
	static List<byte[]> cut(byte[] whole, int pieces) {
		List<byte[]> parts = new ArrayList<>();
		int from = 0;
		for (int i = 1; i <= pieces; i++) {
			int to = (int) ((long) whole.length * i / pieces);
			if (to > from) {
				parts.add(Arrays.copyOfRange(whole, from, to));
			}
			from = to;
		}
		return parts;
	}

	/**
	 * Something odd about the head of a response.
	 */
	enum Oddity {

		NONE("", true),

		/** Allowed, if seldom seen. */
		LOWER_CASE("x-odd: 1\r\n", true), NO_REASON("", true), EMPTY_VALUE("X-Odd:\r\n", true),
		NO_SPACE("X-Odd:1\r\n", true), TAB("X-Odd:\t1\t\r\n", true), LATIN("X-Odd: \u00e9\r\n", true),
		EURO("X-Odd: \u00e2\u0082\u00ac\r\n", true), NAMES_TWICE("X-Served-By: a\r\nx-served-by: b\r\n", true),
		HOP_BY_HOP("Proxy-Connection: keep-alive\r\nKeep-Alive: timeout=5\r\nconnection: keep-alive\r\n", true),
		LARGE_VALUE("X-Odd: " + "x".repeat(6000) + "\r\n", true), TWICE("X-Odd: 1\r\nX-Odd: 2\r\n", true),
		HTTP_1_0("", true), CONNECTION_CLOSE("", true), HOP("Connection: X-Hop\r\nX-Hop: 1\r\n", true),
		COOKIES("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n", true),

		/** Malformed, and neither harmful. */
		FOLDED("X-Odd: a\r\n b\r\n", false), SPACE_BEFORE_COLON("X-Odd : 1\r\n", false), LENGTH_AND_CHUNKED("", false),
		NO_COLON("X-Odd\r\n", false), EMPTY_NAME(": 1\r\n", false),
		LARGE_HEAD("X-Odd: " + "x".repeat(70_000) + "\r\n", false),

		/** Malformed, or a way to smuggle: never passed on. */
		BARE_LF("X-Odd: 1\nX-Even: 2\r\n", false), NUL("X-Odd: a\0b\r\n", false), BARE_CR("X-Odd: a\rb\r\n", false),
		OTHER_LENGTH("Content-Length: " + Oddity.LENGTH + "\r\n", false),
		NEGATIVE_LENGTH("Content-Length: -1\r\n", false), WORD_FOR_LENGTH("Content-Length: many\r\n", false),
		UNKNOWN_CODING("Transfer-Encoding: rot13\r\n", false), LENGTH_WITH_PLUS("Content-Length: +3\r\n", false),
		LENGTH_LIST("Content-Length: 3, 4\r\n", false), CONTROL("X-Odd: a\u0001b\r\n", false), BAD_VERSION("", false),
		BAD_STATUS("", false), LONG_STATUS("", false), SHORT_STATUS("", false);

		private static final int LENGTH = 3;

		private final String lines;

		private final boolean legal;

		Oddity(String lines, boolean legal) {
			this.lines = lines;
			this.legal = legal;
		}

		String lines() {
			return this.lines;
		}

		/**
		 * Whether nothing of the response may reach the client. A second length is one
		 * only where there is a first.
		 */
		boolean refused() {
			return ordinal() >= BARE_LF.ordinal() && this != OTHER_LENGTH;
		}

		/**
		 * Whether it is a response as RFC 9112 allows.
		 */
		boolean legal() {
			return this.legal;
		}

	}

}
