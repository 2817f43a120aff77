package io.gatewaybench.differential;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a request over HTTP/1.1 has that seldom comes, or that two readers could
 * understand differently, and what has to become of it (RFC 9112, sections 3.2, 5 and 6).
 */
enum Peculiarity {

	NONE("", null, null),

	/** Framings that are none, or more than one. What follows must not be a request. */
	LENGTH_AND_CHUNKED("Content-Length: 3|Transfer-Encoding: chunked", Peculiarity.SMUGGLED, null, 400),
	CHUNKED_AND_LENGTH("transfer-encoding: chunked|content-length: 3", Peculiarity.SMUGGLED, null, 400),
	TWO_LENGTHS("Content-Length: 0|Content-Length: 5", Peculiarity.SMUGGLED, null, 400),
	TWO_LENGTHS_IN_TWO_CASES("Content-Length: 0|content-length: 5", Peculiarity.SMUGGLED, null, 400),
	LENGTH_WITH_PLUS("Content-Length: +0", Peculiarity.SMUGGLED, null, 400),
	LENGTH_WITH_MINUS("Content-Length: -1", Peculiarity.SMUGGLED, null, 400),
	LENGTH_LIST("Content-Length: 0, 5", Peculiarity.SMUGGLED, null, 400),
	LENGTH_HEX("Content-Length: 0x5", Peculiarity.SMUGGLED, null, 400),
	LENGTH_TOO_LONG("Content-Length: 99999999999999999999", Peculiarity.SMUGGLED, null, 400, 413),
	CODING_BEHIND_CHUNKED("Transfer-Encoding: chunked, xchunked", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_ON_TWO_LINES("Transfer-Encoding: chunked|Transfer-Encoding: xchunked", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_IN_TWO_CASES("Transfer-Encoding: xchunked|transfer-encoding: chunked", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_FOLDED("Transfer-Encoding:|  xchunked", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_UNKNOWN("Transfer-Encoding: foo", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_IDENTITY("Transfer-Encoding: identity", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_QUOTED("Transfer-Encoding: \"chunked\"", Peculiarity.SMUGGLED, null, 400, 501),
	CODING_GZIP("Transfer-Encoding: gzip, chunked", Peculiarity.SMUGGLED, null, 400, 501),
	CHUNKED_TWICE("Transfer-Encoding: chunked|Transfer-Encoding: chunked", Peculiarity.SMUGGLED, null, 400, 501),

	/** Chunks. */
	CHUNK_EXTENSIONS("Transfer-Encoding: chunked", "5;a=b;c=\"d\"\r\nhello\r\n0;e\r\n\r\n", "hello"),
	CHUNK_IN_CAPITALS("Transfer-Encoding: Chunked", "000A\r\nhellohello\r\n00\r\n\r\n", "hellohello"),
	MANY_TRAILERS("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n" + "X-T: 1\r\nx-u: 2\r\n".repeat(10) + "\r\n",
			"hello"),
	CHUNK_WITH_PLUS("Transfer-Encoding: chunked", "+5\r\nhello\r\n0\r\n\r\n", null, 400),
	CHUNK_WITH_MINUS("Transfer-Encoding: chunked", "-5\r\nhello\r\n0\r\n\r\n", null, 400),
	CHUNK_WITH_X("Transfer-Encoding: chunked", "0x5\r\nhello\r\n0\r\n\r\n", null, 400),
	CHUNK_TOO_LONG("Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF5\r\nhello\r\n0\r\n\r\n", null, 400, 413),

	/** Another protocol, which a server need not speak. */
	UPGRADE_WITH_LENGTH("Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA|"
			+ "Content-Length: 5", "hello", "hello"),
	UPGRADE_WITH_CHUNKS("Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA|"
			+ "Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", "hello"),

	/** Fields. */
	NO_HOST("", null, null, 400), TWO_HOSTS("Host: gateway|Host: gateway", null, null, 400),
	TWO_HOSTS_IN_TWO_CASES("Host: gateway|host: elsewhere", null, null, 400),
	HOST_WITH_PATH("Host: gateway/x", null, null, 400), HOST_WITH_USER("Host: a@gateway", null, null, 400),
	HOST_LIST("Host: gateway, elsewhere", null, null, 400), HOST_IN_CAPITALS("HOST: GATEWAY", null, null),
	SPACE_BEFORE_COLON("X-A : 1", null, null, 400), SPACE_BEFORE_LENGTH("Content-Length : 5", "hello", null, 400),
	SPACE_BEFORE_CODING("Transfer-Encoding : chunked", Peculiarity.SMUGGLED, null, 400),
	CONTROL_IN_NAME("X-\u0001A: 1", null, null, 400), NO_COLON("X-A", null, null, 400),
	EMPTY_NAME(": 1", null, null, 400), NUL_IN_VALUE("X-A: a\0b", null, null, 400),
	BARE_CR("X-A: a\rX-B: 1", null, null, 400), SPACE_BEFORE_NAME(" X-A: 1", null, null, 400),
	/** Limits: 8 KB, and any number. */
	MANY_FIELDS(IntStream.range(0, 120).mapToObj((i) -> "X-F-" + i + ": 1").collect(Collectors.joining("|")), null,
			null),
	LONG_FIELD("X-Long: " + "x".repeat(7000), null, null),
	TOO_LONG_FIELD("X-Long: " + "x".repeat(9000), null, null, 431);

	/**
	 * An end of the body, and what might be taken for the next request.
	 */
	static final String SMUGGLED = "0\r\n\r\nGET /plain/ID/smuggled HTTP/1.1\r\nHost: gateway\r\n\r\n";

	private final String lines;

	private final String sent;

	private final String content;

	private final Set<Integer> answers;

	/**
	 * Something about a request.
	 * @param lines lines of the head
	 * @param sent what follows the head, {@code null} if it has nothing to do with it
	 * @param content what the upstream gets of that
	 * @param answers what the gateway may answer itself, none where the request passes
	 */
	Peculiarity(String lines, String sent, String content, Integer... answers) {
		this.lines = lines.isEmpty() ? "" : lines.replace("|", "\r\n") + "\r\n";
		this.sent = sent;
		this.content = content;
		this.answers = Set.of(answers);
	}

	String lines() {
		return this.lines;
	}

	boolean hasHost() {
		return this == NO_HOST || this.lines.regionMatches(true, 0, "Host:", 0, 5);
	}

	boolean frames() {
		return this.sent != null;
	}

	/**
	 * What follows the head of a request.
	 * @param id what tells that it belongs to the same script
	 */
	byte[] sent(String id) {
		return this.sent.replace("ID", id).getBytes(StandardCharsets.ISO_8859_1);
	}

	byte[] content() {
		return (this.content != null) ? this.content.getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
	}

	/**
	 * Whether only the body shows that the request is none. Its head may have been passed
	 * on by then.
	 */
	boolean isBrokenInBody() {
		return name().startsWith("CHUNK_") && !this.answers.isEmpty();
	}

	Set<Integer> answers() {
		return this.answers;
	}

}
