package io.gatewaybench.internal.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import io.gatewaybench.internal.Spelling;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Which responses are rewritten at all, and what requests and headers must say because of
 * it. Immutable and shared by all messages.
 * <p>
 * A body with the field is another representation than the upstream's, with validators of
 * its own. It has the upstream's {@code ETag}, but weak, as its bytes differ from
 * response to response, and no part of it can be asked for. So the two are never mixed:
 *
 * <table border="1">
 * <caption>What becomes of conditions, ranges and responses</caption>
 * <tr>
 * <th>request or response</th>
 * <th>what becomes of it</th>
 * </tr>
 * <tr>
 * <td>{@code If-Match}</td>
 * <td>without the {@code W/} that the gateway may have put there, as it compares
 * strongly</td>
 * </tr>
 * <tr>
 * <td>{@code If-None-Match}, {@code If-Modified-Since}, {@code If-Unmodified-Since}</td>
 * <td>as sent: the upstream decides</td>
 * </tr>
 * <tr>
 * <td>{@code If-Range} with a weak tag or a date</td>
 * <td>false, as neither tells the two representations apart: the whole body</td>
 * </tr>
 * <tr>
 * <td>{@code If-Range} with a strong tag</td>
 * <td>as sent: the client has a body that was not changed</td>
 * </tr>
 * <tr>
 * <td>{@code Range} for several parts, with another method than GET, or with a body</td>
 * <td>ignored: the whole body</td>
 * </tr>
 * <tr>
 * <td>206 with a part of what would be changed, 416</td>
 * <td>asked for again without {@code Range}</td>
 * </tr>
 * <tr>
 * <td>response to HEAD, 304</td>
 * <td>headers as those of the changed body, without its length</td>
 * </tr>
 * </table>
 */
public final class RewriteRules {

	/**
	 * RFC 9530, RFC 3230 and RFC 1864. In small letters, as are the names of signatures:
	 * Spring's headers make a copy of any other name to look for it.
	 */
	static final List<String> DIGESTS = List.of("content-digest", "repr-digest", "digest", "content-md5");

	static final String WEAK = "W/";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

	private static final String NO_TRANSFORM = "no-transform";

	/**
	 * A parameter of the type that makes it a sequence of values, as Kubernetes' API does
	 * for those who watch.
	 */
	private static final String STREAM = "stream";

	private final String[] signatures;

	private RewriteRules(String[] signatures) {
		this.signatures = signatures;
	}

	/**
	 * Makes rules.
	 * @param signatures names of headers; a response with one of them passes unchanged
	 * @return the rules
	 * @throws IllegalArgumentException if no header can have such a name
	 */
	public static RewriteRules of(Collection<String> signatures) {
		for (String name : signatures) {
			if (!NAME.matcher(name).matches()) {
				throw new IllegalArgumentException(
						"signature-headers must be names of headers but one was " + Spelling.json(name));
			}
		}
		return new RewriteRules(
				signatures.stream().map((name) -> name.toLowerCase(Locale.ROOT)).toArray(String[]::new));
	}

	// The request

	/**
	 * Makes the headers of a request ask for what can be rewritten: a body in no coding,
	 * as an upstream may choose any without {@code Accept-Encoding}; and no part of a
	 * body that the client may have in the rewritten form.
	 * @param request the headers of the request to the upstream
	 * @param partWanted {@code false} if the response to a part can't be asked for again
	 */
	public static void prepare(HttpHeaders request, boolean partWanted) {
		request.set(HttpHeaders.ACCEPT_ENCODING, "identity");
		String range = request.getFirst(HttpHeaders.RANGE);
		if (range != null && !hasStrongTag(request) && (!partWanted || !isSinglePart(request))) {
			request.remove(HttpHeaders.RANGE);
			request.remove(HttpHeaders.IF_RANGE);
		}
		if (request.containsHeader(HttpHeaders.IF_MATCH)) {
			request.put(HttpHeaders.IF_MATCH,
					request.getOrEmpty(HttpHeaders.IF_MATCH).stream().map(RewriteRules::strong).toList());
		}
	}

	/**
	 * Tells whether a client may get a part of a body, before the response tells of what.
	 */
	private static boolean isSinglePart(HttpHeaders request) {
		List<String> lines = request.getOrEmpty(HttpHeaders.RANGE);
		return lines.size() == 1 && lines.get(0).indexOf(',') < 0 && !request.containsHeader(HttpHeaders.IF_RANGE);
	}

	private static boolean hasStrongTag(HttpHeaders request) {
		String condition = request.getFirst(HttpHeaders.IF_RANGE);
		return condition != null && condition.startsWith("\"");
	}

	/**
	 * Takes {@code W/} off all tags of a list, and leaves what is inside of them.
	 */
	private static String strong(String tags) {
		if (!tags.contains(WEAK)) {
			return tags;
		}
		StringBuilder strong = new StringBuilder(tags.length());
		boolean inside = false;
		for (int i = 0; i < tags.length(); i++) {
			if (!inside && tags.startsWith("W/\"", i)) {
				i += WEAK.length();
			}
			char next = tags.charAt(i);
			inside ^= next == '"';
			strong.append(next);
		}
		return strong.toString();
	}

	// The response

	/**
	 * Tells by method, status and headers whether a body may get the field: there is a
	 * body, all of it, it is JSON in UTF-8 and not a stream of events, it is in no coding
	 * but {@code identity}, {@code no-transform} does not forbid it, and nothing proves
	 * that it is the one that was signed.
	 * @param method the method of the request
	 * @param status the status of the response
	 * @param response the headers of the response as they came from the upstream
	 * @return {@code false} if the response has to pass untouched
	 */
	public boolean accepts(HttpMethod method, int status, HttpHeaders response) {
		return hasWholeBody(method, status) && !response.containsHeader(HttpHeaders.CONTENT_RANGE)
				&& isJson(response.getFirst(HttpHeaders.CONTENT_TYPE)) && mayChange(response);
	}

	/**
	 * Tells whether a response is a part, or none, of a body that may get the field as a
	 * whole. The client gets the whole then, as if the gateway knew no ranges (RFC 9110,
	 * section 14.2).
	 * @param request the headers of the request as the client sent them
	 * @param status the status of the response
	 * @param response the headers of the response as they came from the upstream
	 * @return whether to ask again without {@code Range}
	 */
	public boolean isPart(HttpHeaders request, int status, HttpHeaders response) {
		if (status != HttpStatus.PARTIAL_CONTENT.value()
				&& status != HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value()) {
			return false;
		}
		return request.containsHeader(HttpHeaders.RANGE) && isSinglePart(request)
				&& (status == HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value()
						|| (isJson(response.getFirst(HttpHeaders.CONTENT_TYPE)) && mayChange(response)));
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
		weaken(response);
	}

	/**
	 * Makes the headers of a response without a body those of the body that GET would
	 * get, as far as they tell of one that may get the field. A 304 has few headers. It
	 * keeps a strong {@code ETag} if the client has that, of a body that was not changed.
	 * @param method the method of the request
	 * @param status the status of the response
	 * @param request the headers of the request as the client sent them
	 * @param response the headers to change
	 */
	public void adjustWithoutBody(HttpMethod method, int status, HttpHeaders request, HttpHeaders response) {
		boolean notModified = status == HttpStatus.NOT_MODIFIED.value();
		if (!notModified && !(HttpMethod.HEAD.equals(method) && hasWholeBody(HttpMethod.GET, status))) {
			return;
		}
		String type = response.getFirst(HttpHeaders.CONTENT_TYPE);
		boolean json = (type != null) ? isJson(type) : notModified;
		if (json && mayChange(response) && !(notModified && isKnown(response.getFirst(HttpHeaders.ETAG), request))) {
			response.remove(HttpHeaders.CONTENT_LENGTH);
			weaken(response);
		}
	}

	private static void weaken(HttpHeaders response) {
		String etag = response.getFirst(HttpHeaders.ETAG);
		if (etag != null && !etag.startsWith(WEAK)) {
			response.set(HttpHeaders.ETAG, WEAK + etag);
		}
		response.remove(HttpHeaders.ACCEPT_RANGES);
		DIGESTS.forEach(response::remove);
	}

	/**
	 * Tells whether the client has shown a tag as it is, strong and not weak.
	 */
	private static boolean isKnown(@Nullable String etag, HttpHeaders request) {
		if (etag == null || etag.startsWith(WEAK)) {
			return false;
		}
		for (String line : request.getOrEmpty(HttpHeaders.IF_NONE_MATCH)) {
			for (int at = line.indexOf(etag); at >= 0; at = line.indexOf(etag, at + 1)) {
				if (at == 0 || line.charAt(at - 1) != '/') {
					return true;
				}
			}
		}
		return false;
	}

	private static boolean hasWholeBody(HttpMethod method, int status) {
		return status >= 200 && status != 204 && status != 205 && status != 206 && status != 304
				&& !HttpMethod.HEAD.equals(method);
	}

	private boolean mayChange(HttpHeaders response) {
		return isPlain(response.get(HttpHeaders.CONTENT_ENCODING))
				&& mayBeTransformed(response.get(HttpHeaders.CACHE_CONTROL)) && !isSigned(response);
	}

	private boolean isSigned(HttpHeaders response) {
		for (String name : this.signatures) {
			if (response.containsHeader(name)) {
				return true;
			}
		}
		return false;
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
	 * {@code stream+json} and {@code grpc+json} are sequences in spite of their suffix;
	 * {@code json-seq} and {@code x-ndjson} don't have the suffix.
	 */
	private static boolean isJsonSubtype(String subtype) {
		return subtype.equals("json") || (subtype.endsWith("+json") && !subtype.startsWith("*")
				&& !subtype.equals("stream+json") && !subtype.equals("grpc+json"));
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

	static boolean mayBeTransformed(@Nullable List<String> cacheControl) {
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
