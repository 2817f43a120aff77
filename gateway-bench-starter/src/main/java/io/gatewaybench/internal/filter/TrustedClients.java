package io.gatewaybench.internal.filter;

import java.net.InetSocketAddress;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The clients, proxies as a rule, that are believed what they say of those before them:
 * {@code Forwarded} and {@code X-Forwarded-*}.
 */
public final class TrustedClients {

	private final @Nullable Pattern addresses;

	/**
	 * Trust clients.
	 * @param addresses regular expression of their addresses, as in
	 * {@code trusted-proxies} of the gateway; without one, no client is trusted
	 */
	public TrustedClients(@Nullable String addresses) {
		this.addresses = (addresses == null || addresses.isBlank()) ? null : Pattern.compile(addresses);
	}

	/**
	 * Whether a client is one of them.
	 * @param client the client, {@code null} if it is not known
	 * @return whether it is believed
	 */
	public boolean include(@Nullable InetSocketAddress client) {
		return this.addresses != null && client != null && include(client.getHostString());
	}

	/**
	 * Whether a client is one of them.
	 * @param address address of the client, {@code null} if it is not known
	 * @return whether it is believed
	 */
	public boolean include(@Nullable String address) {
		return this.addresses != null && address != null && this.addresses.matcher(address).matches();
	}

}
