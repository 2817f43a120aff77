package io.gatewaybench.internal.filter;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Requests that the gateway answers itself, because the upstream could understand them
 * differently: their end, their target, their path.
 *
 * @param passesUnclearPaths whether paths pass as sent that leave the path of their
 * route, or have an encoded slash or backslash
 */
public record RequestRules(boolean passesUnclearPaths) {

	/**
	 * The request may pass.
	 */
	public static final int PASS = 0;

	private static final int OK = 200;

	private static final int BAD_REQUEST = 400;

	private static final int METHOD_NOT_ALLOWED = 405;

	private static final int NOT_IMPLEMENTED = 501;

	private static final String CHUNKED = "chunked";

	private static final String CONNECT = "CONNECT";

	/**
	 * Where the body ends (RFC 9112, sections 6.1 and 6.3).
	 * @param http10 whether the request is one of HTTP/1.0, which has no codings
	 * @param codings the lines of {@code Transfer-Encoding}, {@code null} if there is
	 * none
	 * @return {@link #PASS}, or the status to answer with before the connection is closed
	 */
	public static int framing(boolean http10, @Nullable List<String> codings) {
		if (codings == null || codings.isEmpty()) {
			return PASS;
		}
		if (!http10 && codings.size() == 1 && CHUNKED.equalsIgnoreCase(codings.get(0))) {
			return PASS;
		}
		List<String> names = new ArrayList<>();
		codings.forEach((line) -> HeaderSyntax.addElements(line, names));
		boolean atTheEnd = names.indexOf(CHUNKED) == names.size() - 1;
		if (http10 || names.isEmpty() || !atTheEnd || !names.stream().allMatch(HeaderSyntax::isToken)) {
			return BAD_REQUEST;
		}
		return (names.size() == 1) ? PASS : NOT_IMPLEMENTED;
	}

	/**
	 * Whom a request asks for what (RFC 9112, section 3.2). Where the target names a
	 * host, {@code Host} has to be the same.
	 * @param method method of the request
	 * @param target target as it was sent
	 * @param http10 whether the request is one of HTTP/1.0, which needs no {@code Host}
	 * @param hosts the lines of {@code Host}, {@code null} if there is none
	 * @return {@link #PASS}, or the status to answer with; a question about the whole
	 * server has no other answer
	 */
	public static int target(String method, String target, boolean http10, @Nullable List<String> hosts) {
		if (CONNECT.equals(method)) {
			return NOT_IMPLEMENTED;
		}
		int count = (hosts != null) ? hosts.size() : 0;
		String host = (hosts != null && count == 1) ? hosts.get(0) : "";
		if (count > 1 || (count == 0 && !http10) || !HeaderSyntax.isHost(host) || !PathWalk.isVisible(target)) {
			return BAD_REQUEST;
		}
		if (target.startsWith("/")) {
			return PASS;
		}
		if (target.equals("*") && "OPTIONS".equals(method)) {
			return OK;
		}
		return namesHost(target, host) ? PASS : BAD_REQUEST;
	}

	private static boolean namesHost(String target, String host) {
		int start = target.indexOf("://") + "://".length();
		boolean http = target.regionMatches(true, 0, "http://", 0, start)
				|| target.regionMatches(true, 0, "https://", 0, start);
		int end = start;
		while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
			end++;
		}
		return http && end > start && target.substring(start, end).equalsIgnoreCase(host);
	}

	/**
	 * Path of a target.
	 * @param target target as it was sent, of a request that may pass
	 * @return what begins with its first slash behind the host and ends before its query,
	 * empty if there is no slash
	 */
	public static String path(String target) {
		int query = target.indexOf('?');
		int end = (query < 0) ? target.length() : query;
		int start = target.indexOf('/', target.startsWith("/") ? 0 : target.indexOf("://") + "://".length());
		return (start < 0 || start > end) ? "" : target.substring(start, end);
	}

	/**
	 * Whether the upstream of a route may get a request.
	 * @param method method of the request
	 * @param rawPath path of the request within the application, as the client wrote it
	 * @param pattern the pattern that the path of the route has, {@code null} if it has
	 * none
	 * @return {@link #PASS}, or the status to answer with
	 */
	public int onRoute(String method, String rawPath, @Nullable String pattern) {
		if (CONNECT.equalsIgnoreCase(method)) {
			return NOT_IMPLEMENTED;
		}
		if ("TRACE".equalsIgnoreCase(method)) {
			return METHOD_NOT_ALLOWED;
		}
		if (PathWalk.isPlain(rawPath)) {
			return PASS;
		}
		boolean refused = PathWalk.isImpossible(rawPath) || (!this.passesUnclearPaths
				&& (PathWalk.hasEncodedSlash(rawPath) || PathWalk.leaves(rawPath, PathWalk.depth(pattern))));
		return refused ? BAD_REQUEST : PASS;
	}

}
