package io.gatewaybench.internal.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The opening handshake of a WebSocket (RFC 6455, section 4). The gateway passes it on,
 * and checks what it has to know: whether both sides leave HTTP.
 */
public final class Handshake {

	/** The only protocol that the gateway changes to. */
	public static final String PROTOCOL = "websocket";

	/** What the client sends, and the accepted value is the hash of. */
	public static final String KEY = "Sec-WebSocket-Key";

	private static final String ACCEPT = "Sec-WebSocket-Accept";

	/**
	 * Netty gives each request for an upgrade such a length where the server offers
	 * HTTP/2 without TLS.
	 */
	private static final List<String> NO_BODY = List.of("0");

	private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

	private Handshake() {
	}

	/**
	 * {@return whether a client asks for a WebSocket; if not, the request is one as any
	 * other, and passes without what belongs to its connection}
	 * @param method method of the request
	 * @param headers its headers, as the client sent them
	 */
	public static boolean isAsked(String method, HttpHeaders headers) {
		return "GET".equals(method) && headers.getOrEmpty(KEY).size() == 1 && isUpgrade(headers)
				&& !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
				&& NO_BODY.containsAll(headers.getOrEmpty(HttpHeaders.CONTENT_LENGTH));
	}

	/**
	 * {@return whether an upstream has agreed}
	 * @param key the key that it was sent
	 * @param headers headers of its response with 101
	 */
	public static boolean isAccepted(@Nullable String key, HttpHeaders headers) {
		return key != null && isUpgrade(headers) && headers.getOrEmpty(ACCEPT).equals(List.of(accept(key)));
	}

	private static boolean isUpgrade(HttpHeaders headers) {
		List<String> protocols = headers.getOrEmpty(HttpHeaders.UPGRADE);
		return protocols.size() == 1 && protocols.get(0).trim().equalsIgnoreCase(PROTOCOL)
				&& headers.getConnection().stream().anyMatch(HttpHeaders.UPGRADE::equalsIgnoreCase);
	}

	private static String accept(String key) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-1")
				.digest((key.trim() + GUID).getBytes(StandardCharsets.ISO_8859_1));
			return Base64.getEncoder().encodeToString(hash);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JVM has SHA-1", ex);
		}
	}

}
