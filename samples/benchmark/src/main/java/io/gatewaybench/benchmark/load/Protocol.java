package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.util.Locale;

/**
 * What is spoken with the target; the scheme of the target in a plan says which.
 */
public enum Protocol {

	/**
	 * HTTP/1.1.
	 */
	HTTP,

	/**
	 * HTTP/1.1 over TLS.
	 */
	HTTPS,

	/**
	 * HTTP/2 over TLS, agreed on by ALPN.
	 */
	H2,

	/**
	 * HTTP/2 without TLS, and without asking whether the target speaks it (prior
	 * knowledge).
	 */
	H2C;

	/**
	 * Whether it is over TLS.
	 * @return whether it is
	 */
	public boolean tls() {
		return this == HTTPS || this == H2;
	}

	/**
	 * Whether several requests share a connection at the same time.
	 * @return whether it is HTTP/2
	 */
	public boolean multiplexed() {
		return this == H2 || this == H2C;
	}

	/**
	 * The scheme of requests.
	 * @return {@code http} or {@code https}
	 */
	public String scheme() {
		return tls() ? "https" : "http";
	}

	/**
	 * The target that speaks it.
	 * @param address where it is
	 * @return such as {@code h2c://10.0.0.7:8080}
	 */
	public URI target(URI address) {
		return URI.create(name().toLowerCase(Locale.ROOT) + "://" + address.getRawAuthority());
	}

	static Protocol of(URI target) {
		return valueOf(target.getScheme().toUpperCase(Locale.ROOT));
	}

}
