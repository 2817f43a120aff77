package io.gatewaybench.upstream;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * One address of an upstream.
 *
 * @param scheme {@code http} or {@code https}
 * @param authority host and, unless it is the scheme's default, port; for example
 * {@code 10.0.0.3:8081}
 * @since 0.1.0
 */
public record Instance(String scheme, String authority) {

	// The method that a record has otherwise is linked at the start of the gateway, which
	// takes milliseconds
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Instance that && this.scheme.equals(that.scheme)
				&& this.authority.equals(that.authority);
	}

	@Override
	public int hashCode() {
		return 31 * this.scheme.hashCode() + this.authority.hashCode();
	}

	/**
	 * The URL of the instance.
	 * @return scheme, host and port
	 */
	public String url() {
		return this.scheme + "://" + this.authority;
	}

	/**
	 * Parse the URL of an instance.
	 * @param url scheme, host and optional port, nothing else
	 * @return the instance
	 * @throws IllegalArgumentException if the URL is malformed or has a path, a query, a
	 * fragment or user info; the message says what is wrong and what to write instead
	 */
	public static Instance parse(String url) {
		URI uri;
		try {
			uri = new URI(url);
		}
		catch (URISyntaxException ex) {
			// Its message has the URL, which may have a password
			throw new IllegalArgumentException("not a URL: %s; write http://host:port".formatted(ex.getReason()));
		}
		String scheme = (uri.getScheme() != null) ? uri.getScheme().toLowerCase(Locale.ROOT) : "";
		require(scheme.equals("http") || scheme.equals("https"), "it needs the scheme http or https");
		// Also in what passes for a path, as behind a password with a slash
		require(url.indexOf('@') < 0, "it has user info");
		require(uri.getHost() != null, "it has no host, or its host or port is malformed");
		require(uri.getPort() != 0 && uri.getPort() <= 65535, "its port is not between 1 and 65535");
		require(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"),
				"it has the path '%s', but the path comes from the request".formatted(uri.getRawPath()));
		require(uri.getRawQuery() == null && uri.getRawFragment() == null, "it has a query or a fragment");
		return new Instance(scheme, (uri.getPort() >= 0) ? uri.getHost() + ":" + uri.getPort() : uri.getHost());
	}

	private static void require(boolean condition, String problem) {
		if (!condition) {
			throw new IllegalArgumentException(problem + "; write http://host:port");
		}
	}

	/**
	 * Whether a URL addresses an instance. Others address something else, such as a
	 * handler of the gateway itself.
	 * @param url any URL
	 * @return whether its scheme is {@code http} or {@code https}
	 */
	public static boolean isAddressedBy(URI url) {
		return "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
	}

	/**
	 * Take scheme and authority from the URL of a request.
	 * @param url a URL that addresses an instance
	 * @return the instance that it addresses
	 */
	public static Instance of(URI url) {
		return new Instance(url.getScheme(), url.getRawAuthority());
	}

	/**
	 * Address a request to this instance. Path and query are taken as they are, so that
	 * the upstream sees the bytes that the client sent; neither can change the host.
	 * @param rawPath encoded path, starting with a slash
	 * @param rawQuery encoded query without the question mark, or {@code null}
	 * @return the URI to call
	 * @throws IllegalArgumentException if path and query are not legal in a URI, or would
	 * not arrive whole because there is a fragment in them
	 */
	public URI target(String rawPath, @Nullable String rawQuery) {
		if (rawPath.isEmpty() || rawPath.charAt(0) != '/') {
			throw new IllegalArgumentException("Path must start with a slash but was '%s'".formatted(rawPath));
		}
		StringBuilder target = new StringBuilder(this.scheme.length() + this.authority.length() + rawPath.length()
				+ ((rawQuery != null) ? rawQuery.length() : 0) + 4);
		target.append(this.scheme).append("://").append(this.authority).append(rawPath);
		if (rawQuery != null) {
			target.append('?').append(rawQuery);
		}
		try {
			URI uri = new URI(target.toString());
			if (uri.getRawFragment() != null) {
				throw new IllegalArgumentException("Path and query must not have a fragment");
			}
			return uri;
		}
		catch (URISyntaxException ex) {
			// Its message has the query
			throw new IllegalArgumentException("Path and query are not legal in a URI: " + ex.getReason());
		}
	}

}
