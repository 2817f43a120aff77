package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a client of upstreams has only one of, so that upstreams which differ in it need a
 * client each.
 *
 * @param timeout time until the connection is there; zero waits for ever
 * @param sslBundle name of the bundle with the certificates for {@code https};
 * {@code null} for what the client trusts by default
 * @param http2 whether the upstream speaks HTTP/2
 */
public record ConnectSettings(Duration timeout, @Nullable String sslBundle, boolean http2) {

	// The method that a record has otherwise is linked at the start of the gateway, which
	// takes milliseconds
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ConnectSettings that && this.timeout.equals(that.timeout) && this.http2 == that.http2
				&& Objects.equals(this.sslBundle, that.sslBundle);
	}

	@Override
	public int hashCode() {
		return 31 * (31 * this.timeout.hashCode() + Objects.hashCode(this.sslBundle)) + Boolean.hashCode(this.http2);
	}

}
