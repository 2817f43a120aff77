package io.gatewaybench.internal.rewrite;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * What a server may compress on its way to the client, and how.
 */
public final class ContentCoding {

	private static final Pattern ACCEPTED = Pattern
		.compile("\\s*(br|zstd|(?:x-)?gzip|deflate|\\*)\\s*(?:;\\s*q=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)\\s*)?");

	private static final Pattern NOTHING = Pattern.compile("[0.]+");

	private ContentCoding() {
	}

	/**
	 * Tells whether a body may be compressed. A part of a body, a body with a digest or
	 * with a strong {@code ETag} would be another one then (RFC 9110, sections 8.8.3.3
	 * and 15.3.7; RFC 9530).
	 * @param status the status of the response
	 * @param response the headers of the response
	 * @return {@code false} if the body has to leave as it is
	 */
	public static boolean isAllowed(int status, HttpHeaders response) {
		String etag = response.getFirst(HttpHeaders.ETAG);
		return status != 206 && (etag == null || etag.startsWith(RewriteRules.WEAK))
				&& !response.containsHeader(HttpHeaders.CONTENT_RANGE)
				&& RewriteRules.mayBeTransformed(response.get(HttpHeaders.CACHE_CONTROL))
				&& RewriteRules.DIGESTS.stream().noneMatch(response::containsHeader);
	}

	/**
	 * Tells which of the common codings a client accepts.
	 * @param acceptEncoding the lines of {@code Accept-Encoding}
	 * @return the codings with their weights, {@code gzip} in the place of an asterisk,
	 * or {@code null} if there are none
	 */
	public static @Nullable String accepted(List<String> acceptEncoding) {
		StringJoiner accepted = new StringJoiner(", ");
		accepted.setEmptyValue("");
		boolean gzipNamed = false;
		boolean anyAccepted = false;
		for (String line : acceptEncoding) {
			for (String element : line.toLowerCase(Locale.ROOT).split(",")) {
				Matcher matcher = ACCEPTED.matcher(element);
				if (!matcher.matches()) {
					continue;
				}
				String coding = matcher.group(1);
				String weight = matcher.group(2);
				boolean wanted = weight == null || !NOTHING.matcher(weight).matches();
				gzipNamed |= coding.endsWith("gzip");
				if (coding.equals("*")) {
					anyAccepted |= wanted;
				}
				else if (wanted) {
					accepted.add(coding.replace("x-", "") + ((weight != null) ? ";q=" + weight : ""));
				}
			}
		}
		if (accepted.length() == 0 && anyAccepted && !gzipNamed) {
			return "gzip";
		}
		return (accepted.length() == 0) ? null : accepted.toString();
	}

}
