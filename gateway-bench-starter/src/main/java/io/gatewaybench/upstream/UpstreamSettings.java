package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * How requests are sent to an upstream, besides the addresses of its instances.
 *
 * @param timeouts how long to wait for an instance
 * @param ejection when to do without an instance
 * @param chooser what chooses an instance; {@code null} for turns
 * @param sslBundle name of the bundle with the certificates for {@code https};
 * {@code null} for what the client trusts by default
 * @param affinity which requests go to the same instance; {@code null} if that does not
 * matter
 * @param limit how many requests there may be at a time; {@code null} for any number
 * @param rateLimit how many requests a client may send; {@code null} for any number
 * @param http2 whether instances speak HTTP/2: agreed on in the handshake with
 * {@code https}, known beforehand with {@code http}
 * @since 0.1.0
 */
public record UpstreamSettings(UpstreamTimeouts timeouts, EjectionSettings ejection, @Nullable InstanceChooser chooser,
		@Nullable String sslBundle, @Nullable Affinity affinity, @Nullable Limit limit, @Nullable RateLimit rateLimit,
		boolean http2) {

	/**
	 * Turns, with neither timeouts nor ejection.
	 */
	public static final UpstreamSettings NONE = new UpstreamSettings(UpstreamTimeouts.NONE, EjectionSettings.OFF, null,
			null);

	/**
	 * Create settings with which any instance will do for any request, and any number of
	 * requests, over HTTP/1.1.
	 * @param timeouts how long to wait for an instance
	 * @param ejection when to do without an instance
	 * @param chooser what chooses an instance; {@code null} for turns
	 * @param sslBundle name of the bundle with the certificates, or {@code null}
	 */
	public UpstreamSettings(UpstreamTimeouts timeouts, EjectionSettings ejection, @Nullable InstanceChooser chooser,
			@Nullable String sslBundle) {
		this(timeouts, ejection, chooser, sslBundle, null, null, null, false);
	}

	/**
	 * How many requests there may be at a time. One more waits, or fails with
	 * {@link UpstreamFailure#OVERLOADED}.
	 *
	 * @param maxInFlight number of requests, at least one
	 * @param maxQueueTime how long a request may wait; zero if it may not
	 */
	public record Limit(int maxInFlight, Duration maxQueueTime) {

		/**
		 * Check the limit.
		 */
		public Limit {
			Assert.isTrue(maxInFlight > 0, "the number of requests is 1 or more");
		}

	}

	/**
	 * How many requests each client may send. One more gets 429.
	 *
	 * @param key tells the client of a request, {@code null} or empty if it has no such
	 * key. Then the client is its address
	 * @param requestsPerSecond the rate, from 0.001 to 1,000,000
	 * @param burst how many requests it may send at once, from 1 to 1,000,000
	 */
	public record RateLimit(Function<InstanceChooser.Request, @Nullable String> key, double requestsPerSecond,
			int burst) {

		private static final double MIN_RATE = 0.001;

		private static final int MAX = 1_000_000;

		/**
		 * Check the limit.
		 */
		public RateLimit {
			Assert.isTrue(requestsPerSecond >= MIN_RATE && requestsPerSecond <= MAX,
					"the rate is a number from 0.001 to 1000000");
			Assert.isTrue(burst >= 1 && burst <= MAX, "the number of requests is from 1 to 1000000");
		}

		String clientOf(InstanceChooser.Request request) {
			String client = this.key.apply(request);
			return StringUtils.hasLength(client) ? client : Objects.requireNonNullElse(request.clientAddress(), "");
		}

	}

	/**
	 * Which requests go to the same instance. Those without a key and without the cookie
	 * go where the chooser says.
	 *
	 * @param key tells the key of a request, {@code null} or empty if it has none.
	 * Requests with the same key go to the same instance, by consistent hashing
	 * @param balanceFactor how many times the mean of the requests in flight an instance
	 * may have, by its weight. What is beyond that goes elsewhere. More than 1, or 0 for
	 * any number
	 * @param cookieName name of a cookie that the gateway sets, which keeps a client with
	 * its instance; {@code null} for none
	 */
	public record Affinity(Function<InstanceChooser.Request, @Nullable String> key, double balanceFactor,
			@Nullable String cookieName) {

		/**
		 * A cookie's name is a token (RFC 6265, section 4.1.1). Some readers take what is
		 * left out here for a separator.
		 */
		private static final String COOKIE_NAME = "[\\w.-]{1,64}";

		/**
		 * Check the settings.
		 */
		public Affinity {
			Assert.isTrue(balanceFactor == 0 || (balanceFactor > 1 && balanceFactor <= 100),
					"the factor is more than 1 and at most 100, or 0 for no limit");
			Assert.isTrue(cookieName == null || cookieName.matches(COOKIE_NAME),
					"the name of a cookie is 1 to 64 letters, digits, '_', '-' and '.'");
		}

		@Nullable String keyOf(InstanceChooser.Request request) {
			String value = this.key.apply(request);
			return (value != null && !value.isEmpty()) ? value : null;
		}

		@Nullable String cookieOf(InstanceChooser.Request request) {
			return (this.cookieName != null) ? request.cookie(this.cookieName) : null;
		}

		@Nullable String cookie(InstanceState state, InstanceChooser.Request request) {
			if (this.cookieName == null || state.token().equals(request.cookie(this.cookieName))) {
				return null;
			}
			return this.cookieName + "=" + state.token() + "; Path=/; HttpOnly; SameSite=Lax"
					+ (request.isSecure() ? "; Secure" : "");
		}

	}

}
