package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A service behind the gateway.
 *
 * @param instances Its instances, each a URL with scheme, host and port, or 'url' and
 * 'weight'.
 * @param serviceId Name of a service, whose instances a Spring Cloud DiscoveryClient
 * tells. Takes the place of 'instances'.
 * @param resolve What is an instance where 'instances' has the name of a host.
 * @param timeouts How long to wait for an instance of this upstream. Defaults to
 * 'gateway-bench.timeouts'.
 * @param healthCheck Whether instances of this upstream are checked, and where. Defaults
 * to 'gateway-bench.load-balancing.health-check'.
 * @param ssl Certificates for instances with 'https'.
 * @param protocol What instances of this upstream speak.
 * @param hashBy What sends requests to the same instance: 'header:NAME', 'cookie:NAME',
 * 'query:NAME' or 'client-address'. Takes the place of the policy for requests that have
 * it.
 * @param hashBalanceFactor How many times the mean of the requests in flight an instance
 * may have, by its weight. What is beyond that 'hash-by' sends to another one. More than
 * 1, or 0 for no limit.
 * @param stickyCookie Name of a cookie that the gateway sets, so that a client stays with
 * its instance.
 * @param maxInFlight Number of requests that this upstream may have at a time; those
 * beyond it get 503. Without it, there is no limit.
 * @param maxQueueTime Time that a request beyond 'max-in-flight' waits for its turn
 * before it gets 503; 0 if it does not wait. At most 1024 wait at a time.
 * @param rateLimit How many requests each client may send. Without it, there is no limit.
 * @param mirror Another upstream that gets some of the requests, too.
 */
record UpstreamProperties(@DefaultValue List<Instance> instances, @Nullable String serviceId,
		@DefaultValue("host") Resolve resolve, @DefaultValue UpstreamTimeouts timeouts,
		@DefaultValue UpstreamHealthCheck healthCheck, @DefaultValue Ssl ssl, @DefaultValue("http1") Protocol protocol,
		@Nullable String hashBy, @DefaultValue("1.25") double hashBalanceFactor, @Nullable String stickyCookie,
		@Nullable Integer maxInFlight, @DefaultValue("0") Duration maxQueueTime, @DefaultValue RateLimit rateLimit,
		@DefaultValue Mirror mirror) {

	/**
	 * What is an instance where there is the name of a host.
	 */
	enum Resolve {

		/**
		 * The host. The client looks for its address when it connects.
		 */
		HOST,

		/**
		 * Each of its addresses, as DNS tells them at intervals, such as those of a
		 * headless service of Kubernetes.
		 */
		ALL

	}

	/**
	 * What an upstream speaks.
	 */
	enum Protocol {

		/**
		 * HTTP/1.1.
		 */
		HTTP1,

		/**
		 * HTTP/2. With 'https' the handshake has to agree on it (ALPN). With 'http' the
		 * upstream has to know it beforehand ("prior knowledge"), as servers of gRPC do.
		 * On WebMVC it needs Reactor Netty's client on the class path.
		 */
		HTTP2

	}

	/**
	 * An instance of the upstream.
	 *
	 * @param url URL of the instance: scheme, host and port, no path.
	 * @param weight Share of the requests in relation to the other instances, from 1 to
	 * 100.
	 */
	record Instance(@Nullable String url, @DefaultValue("1") int weight) {

		/**
		 * The short form, which the conversion of properties finds by this name.
		 */
		public static Instance valueOf(String url) {
			return new Instance(url, 1);
		}

	}

	/**
	 * How long to wait for an instance of this upstream.
	 *
	 * @param connect Time until the connection is there; 0 waits for ever. Defaults to
	 * 'gateway-bench.timeouts.connect'.
	 * @param response Time until the response begins; 0 waits for ever. Defaults to
	 * 'gateway-bench.timeouts.response'.
	 * @param read Time between two pieces of a response; 0 waits for ever. Defaults to
	 * 'gateway-bench.timeouts.read'.
	 */
	record UpstreamTimeouts(@Nullable Duration connect, @Nullable Duration response, @Nullable Duration read) {
	}

	/**
	 * Asking instances of this upstream whether they are healthy.
	 *
	 * @param enabled Whether instances of this upstream are asked. Defaults to
	 * 'gateway-bench.load-balancing.health-check.enabled'.
	 * @param path Path to ask for. Defaults to
	 * 'gateway-bench.load-balancing.health-check.path'.
	 */
	record UpstreamHealthCheck(@Nullable Boolean enabled, @Nullable String path) {
	}

	/**
	 * Certificates for instances with 'https'.
	 *
	 * @param bundle Name of a bundle in 'spring.ssl.bundle': whom the gateway trusts, and
	 * the certificate that it shows. Needs 'gateway-bench.http-client.tuned'.
	 */
	record Ssl(@Nullable String bundle) {
	}

	/**
	 * How many requests each client may send to this upstream. One more gets 429.
	 *
	 * @param by What tells clients apart: 'header:NAME', 'cookie:NAME', 'query:NAME' or
	 * 'client-address'. A request without it counts for its address.
	 * @param requestsPerSecond Rate of requests of a client, such as 50 or 0.5. There is
	 * no limit without it.
	 * @param burst Number of requests that a client may send at once, after it has sent
	 * none for some time. Defaults to 'requests-per-second', rounded up.
	 */
	record RateLimit(@DefaultValue("client-address") String by, @Nullable Double requestsPerSecond,
			@Nullable Integer burst) {
	}

	/**
	 * Another upstream that gets some of the requests, too. Nobody waits for it, and its
	 * responses are dropped.
	 *
	 * @param upstream Name of that upstream in 'gateway-bench.upstreams'.
	 * @param share Share of the requests that it gets, from 0 to 1, such as 0.1.
	 */
	record Mirror(@Nullable String upstream, @Nullable Double share) {
	}

}
