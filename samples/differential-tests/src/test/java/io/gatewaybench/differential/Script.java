package io.gatewaybench.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one client and one upstream do: all in which they differ from a client that sends
 * a plain GET and an upstream that answers with a short text. It is written and read as
 * one line, such as {@code method=POST body=chunked size=5000 cut=40}.
 *
 * @param choices names and values
 */
record Script(Map<String, String> choices) {

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
	 * First part of the path, which chooses the route: {@code plain} or {@code rewrite}.
	 */
	String route() {
		return text("route", "plain");
	}

	/**
	 * What follows the part of the path that tells which script it is.
	 */
	String target() {
		return text("target", "/x");
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

	/**
	 * How the end of the body is told: {@code none} where there is none, {@code length}
	 * or {@code chunked}, which over HTTP/2 is to say no length.
	 */
	String body() {
		return text("body", "none");
	}

	boolean hasBody() {
		return !body().equals("none");
	}

	byte[] content() {
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
	 * and reads the rest; or after its head and then reads no more ({@code deaf}).
	 */
	String answer() {
		return text("answer", "whole");
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
		return text("framing", "length");
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
		return text("type", "text").equals("json") && status() != 205;
	}

	byte[] responseContent() {
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
		LARGE_VALUE("X-Odd: " + "x".repeat(6000) + "\r\n", true), TWICE("X-Odd: 1\r\nX-Odd: 2\r\n", true),
		HTTP_1_0("", true), CONNECTION_CLOSE("", true), HOP("Connection: X-Hop\r\nX-Hop: 1\r\n", true),
		COOKIES("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n", true),

		/** Malformed, or a way to smuggle. */
		BARE_LF("X-Odd: 1\nX-Even: 2\r\n", false), NUL("X-Odd: a\0b\r\n", false), BARE_CR("X-Odd: a\rb\r\n", false),
		FOLDED("X-Odd: a\r\n b\r\n", false), LENGTH_AND_CHUNKED("", false),
		OTHER_LENGTH("Content-Length: " + Oddity.LENGTH + "\r\n", false),
		NEGATIVE_LENGTH("Content-Length: -1\r\n", false), WORD_FOR_LENGTH("Content-Length: many\r\n", false),
		SPACE_BEFORE_COLON("X-Odd : 1\r\n", false), NO_COLON("X-Odd\r\n", false), EMPTY_NAME(": 1\r\n", false),
		UNKNOWN_CODING("Transfer-Encoding: rot13\r\n", false),
		LARGE_HEAD("X-Odd: " + "x".repeat(70_000) + "\r\n", false), BAD_VERSION("", false), BAD_STATUS("", false);

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
		 * Whether it is a response as RFC 9112 allows.
		 */
		boolean legal() {
			return this.legal;
		}

	}

}
