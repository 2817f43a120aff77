package io.gatewaybench.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Which responses are rewritten at all, and what their headers must say afterwards.
 *
 * @since 0.1.0
 */
public final class ResponseRules {

	/**
	 * What is false about a changed body: RFC 9110 section 14.3, RFC 9530, RFC 3230 and
	 * RFC 1864.
	 */
	private static final List<String> FALSE_WHEN_CHANGED = List.of(HttpHeaders.ACCEPT_RANGES, "Content-Digest",
			"Repr-Digest", "Digest", "Content-MD5");

	private static final String NO_TRANSFORM = "no-transform";

	/**
	 * A parameter of the type that makes it a sequence of values, as Kubernetes' API does
	 * for those who watch.
	 */
	private static final String STREAM = "stream";

	private ResponseRules() {
	}

	/**
	 * Asks the upstream for a body in no coding, since only such a body can be rewritten.
	 * Without the header an upstream may choose any coding, and some clients ask for
	 * {@code gzip} by themselves.
	 * @param request the headers of the request to the upstream
	 */
	public static void askForPlainBody(HttpHeaders request) {
		request.set(HttpHeaders.ACCEPT_ENCODING, "identity");
	}

	/**
	 * Tells by method, status and headers whether a body may get the field: there is a
	 * body, all of it, it is JSON in UTF-8 and not a stream of events, it is in no coding
	 * but {@code identity}, and {@code no-transform} does not forbid it.
	 * @param method the method of the request
	 * @param status the status of the response
	 * @param response the headers of the response as they came from the upstream
	 * @return {@code false} if the response has to pass untouched
	 */
	public static boolean accepts(HttpMethod method, int status, HttpHeaders response) {
		return hasWholeBody(method, status) && isJson(response.getFirst(HttpHeaders.CONTENT_TYPE))
				&& isPlain(response.get(HttpHeaders.CONTENT_ENCODING))
				&& !response.containsHeader(HttpHeaders.CONTENT_RANGE)
				&& mayBeTransformed(response.get(HttpHeaders.CACHE_CONTROL));
	}

	/**
	 * Makes the headers true for the body that leaves; to be called before its first
	 * chunk does.
	 * <p>
	 * Headers of a body that leaves as it came are left alone. Otherwise
	 * {@code Content-Length} is exact, or missing if the body has not ended; a strong
	 * {@code ETag} becomes weak; digests and {@code Accept-Ranges} are dropped.
	 * @param response the headers to change
	 * @param body the body they belong to
	 */
	public static void adjust(HttpHeaders response, HeldBody<?> body) {
		RewriteOutcome outcome = body.outcome();
		if (outcome != null && !outcome.isChanged()) {
			return;
		}
		if (body.exactLength() >= 0) {
			response.setContentLength(body.exactLength());
			response.remove(HttpHeaders.TRANSFER_ENCODING);
		}
		else {
			response.remove(HttpHeaders.CONTENT_LENGTH);
		}
		String etag = response.getFirst(HttpHeaders.ETAG);
		if (etag != null && !etag.startsWith("W/")) {
			response.set(HttpHeaders.ETAG, "W/" + etag);
		}
		FALSE_WHEN_CHANGED.forEach(response::remove);
	}

	private static boolean hasWholeBody(HttpMethod method, int status) {
		return status >= 200 && status != 204 && status != 205 && status != 206 && status != 304
				&& !HttpMethod.HEAD.equals(method);
	}

	private static boolean isJson(@Nullable String contentType) {
		if (contentType == null) {
			return false;
		}
		if (contentType.equals(MediaType.APPLICATION_JSON_VALUE)) {
			return true;
		}
		try {
			MediaType type = MediaType.parseMediaType(contentType);
			return type.getType().equals("application") && isJsonSubtype(type.getSubtype())
					&& type.getParameter(STREAM) == null
					&& (type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	/**
	 * {@code stream+json} is a sequence of values in spite of its suffix;
	 * {@code json-seq} and {@code x-ndjson} don't have the suffix.
	 */
	private static boolean isJsonSubtype(String subtype) {
		return subtype.equals("json")
				|| (subtype.endsWith("+json") && !subtype.startsWith("*") && !subtype.equals("stream+json"));
	}

	private static boolean isPlain(@Nullable List<String> contentEncoding) {
		if (contentEncoding != null) {
			for (String line : contentEncoding) {
				if (!line.equalsIgnoreCase("identity")) {
					return false;
				}
			}
		}
		return true;
	}

	private static boolean mayBeTransformed(@Nullable List<String> cacheControl) {
		if (cacheControl != null) {
			for (String line : cacheControl) {
				if (forbidsTransformation(line)) {
					return false;
				}
			}
		}
		return true;
	}

	/**
	 * Looks for the letters wherever they are, because no other directive has them.
	 */
	private static boolean forbidsTransformation(String cacheControl) {
		int last = cacheControl.length() - NO_TRANSFORM.length();
		for (int i = 0; i <= last; i++) {
			if (cacheControl.regionMatches(true, i, NO_TRANSFORM, 0, NO_TRANSFORM.length())) {
				return true;
			}
		}
		return false;
	}

}
