package io.gatewaybench.upstream;

import org.jspecify.annotations.Nullable;

/**
 * How requests are sent to an upstream, besides the addresses of its instances.
 *
 * @param timeouts how long to wait for an instance
 * @param ejection when to do without an instance
 * @param chooser what chooses an instance; {@code null} for turns
 * @param sslBundle name of the bundle with the certificates for {@code https};
 * {@code null} for what the client trusts by default
 * @since 0.1.0
 */
public record UpstreamSettings(UpstreamTimeouts timeouts, EjectionSettings ejection, @Nullable InstanceChooser chooser,
		@Nullable String sslBundle) {

	/**
	 * Turns, with neither timeouts nor ejection.
	 */
	public static final UpstreamSettings NONE = new UpstreamSettings(UpstreamTimeouts.NONE, EjectionSettings.OFF, null,
			null);

}
