package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.upstream.LoadBalancingPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the starter, the same on both flavours. A key that does not exist stops
 * the start, so that a typing error cannot silently switch something off.
 *
 * @param enabled Whether the starter does anything at all.
 * @param instance Name of this gateway in headers. Defaults to the name of the
 * application.
 * @param scope Routes that get every feature that is on.
 * @param upstreams Services behind the gateway by name, for use as 'rr://name' in any
 * route.
 * @param routes Routes that become native routes of the flavour on the class path, after
 * those that are configured natively.
 * @param unclearPaths What becomes of requests whose path leaves the path of their route,
 * or has an encoded slash or backslash.
 * @param stripPrefix Dropping of the first segments of the path.
 * @param headers Headers that are set on requests and responses.
 * @param bodyRewrite Field that is added to JSON responses.
 * @param loadBalancing Choice of the instance of an upstream.
 * @param metrics Counting and timing of requests.
 * @param observations Observations of requests, from which meters and traces come.
 * @param routeIndex Lookup of routes by their paths.
 * @param server Server that the clients of the gateway talk to.
 * @param httpClient Client for the requests to upstreams.
 * @param timeouts How long to wait for an instance of any upstream.
 * @param webSockets WebSockets on routes to an upstream.
 */
@ConfigurationProperties(prefix = "gateway-bench", ignoreUnknownFields = false)
record GatewayBenchProperties(@DefaultValue("true") boolean enabled, @Nullable String instance,
		@DefaultValue("routes") Scope scope, @DefaultValue Map<String, UpstreamProperties> upstreams,
		@DefaultValue List<Route> routes, @DefaultValue("refuse") UnclearPaths unclearPaths,
		@DefaultValue StripPrefix stripPrefix, @DefaultValue Headers headers, @DefaultValue BodyRewrite bodyRewrite,
		@DefaultValue LoadBalancing loadBalancing, @DefaultValue Metrics metrics,
		@DefaultValue Observations observations, @DefaultValue RouteIndex routeIndex, @DefaultValue Server server,
		@DefaultValue HttpClient httpClient, @DefaultValue Timeouts timeouts, @DefaultValue WebSockets webSockets) {

	/**
	 * Routes that get every feature that is on.
	 */
	enum Scope {

		/**
		 * The routes in 'gateway-bench.routes', and those that ask for a feature by the
		 * name of its filter.
		 */
		ROUTES,

		/**
		 * Every route of the gateway, however it was configured. On WebMVC their requests
		 * go through the starter's client even if no feature is on.
		 */
		ALL

	}

	/**
	 * What becomes of requests whose path upstreams understand in different ways.
	 */
	enum UnclearPaths {

		/**
		 * They get 400.
		 */
		REFUSE,

		/**
		 * They reach the upstream as they were sent.
		 */
		PASS

	}

	/**
	 * A route from a path to an upstream.
	 *
	 * @param id Name of the route, unique.
	 * @param path Pattern of the path, such as '/service-a/**'.
	 * @param upstream Name of an upstream in 'gateway-bench.upstreams'.
	 * @param stripPrefix Number of segments to drop from the path on this route. Defaults
	 * to 'gateway-bench.strip-prefix.parts'.
	 */
	record Route(@Nullable String id, @Nullable String path, @Nullable String upstream, @Nullable Integer stripPrefix) {
	}

	/**
	 * Dropping of the first segments of the path.
	 *
	 * @param enabled Whether the first segments of the path are dropped.
	 * @param parts Number of segments to drop.
	 */
	record StripPrefix(@DefaultValue("true") boolean enabled, @DefaultValue("1") int parts) {
	}

	/**
	 * Headers that are set, replacing those of the same name. '{type}' in a value stands
	 * for WebFlux or WebMVC, '{instance}' for the name of this gateway.
	 *
	 * @param enabled Whether headers are set.
	 * @param request Headers of requests to the upstream. Defaults to 'X-Gateway-Type:
	 * {type}'.
	 * @param response Headers of responses to the client. Defaults to 'X-Gateway-Type:
	 * {type}', 'X-Gateway-Instance: {instance}' and 'X-Served-By:
	 * Spring-Cloud-Gateway-{type}'.
	 */
	record Headers(@DefaultValue("true") boolean enabled, @Nullable Map<String, String> request,
			@Nullable Map<String, String> response) {
	}

	/**
	 * Field that is added to JSON responses.
	 *
	 * @param enabled Whether the field is added.
	 * @param field Name of the field.
	 * @param engine Way in which the field gets into the body.
	 * @param maxBufferSize Number of bytes of one body that may be held. Engine 'splice'
	 * lets a longer body stream through and adds the field at its end; the others leave
	 * it unchanged.
	 * @param maxTotalBufferSize Number of bytes of all bodies together that may be held,
	 * those of requests included. A body that finds no room is treated as one beyond
	 * max-buffer-size. Defaults to an eighth of the heap.
	 * @param signatureHeaders Headers of responses that prove what the body is, such as a
	 * signature. A response with one of them passes unchanged.
	 */
	record BodyRewrite(@DefaultValue("true") boolean enabled, @DefaultValue("_gateway") String field,
			@DefaultValue("splice") Engine engine, @DefaultValue("256KB") DataSize maxBufferSize,
			@Nullable DataSize maxTotalBufferSize, @DefaultValue( {
					"Signature", "Signature-Input", "X-Signature", "X-JWS-Signature", "Docker-Content-Digest",
					"x-amz-checksum-crc32", "x-amz-checksum-crc32c", "x-amz-checksum-crc64nvme", "x-amz-checksum-sha1",
					"x-amz-checksum-sha256" }) List<String> signatureHeaders){
	}

	/**
	 * Choice of the instance of an upstream.
	 *
	 * @param enabled Whether requests are spread over the instances of an upstream;
	 * otherwise the first instance takes them all.
	 * @param policy How the instance is chosen. A bean of type InstanceChooser takes the
	 * place of the policy.
	 * @param lookupInterval Time between two lookups of the instances of an upstream with
	 * 'service-id' or 'resolve: all'.
	 * @param ejection Doing without an instance for some time, because requests to it
	 * failed.
	 * @param healthCheck Asking instances at intervals whether they are healthy, and
	 * doing without those that are not.
	 */
	record LoadBalancing(@DefaultValue("true") boolean enabled, @DefaultValue("round-robin") LoadBalancingPolicy policy,
			@DefaultValue("5s") Duration lookupInterval, @DefaultValue Ejection ejection,
			@DefaultValue HealthCheck healthCheck) {

		/**
		 * Doing without an instance for some time, because requests to it failed.
		 *
		 * @param enabled Whether instances are ejected. The last one never is.
		 * @param consecutiveFailures Number of failures in a row after which an instance
		 * is ejected: connections that are refused, reset or time out, and responses that
		 * do not come in time or break off.
		 * @param include5xx Whether a response with a status from 500 on is a failure,
		 * after which another instance is asked if the request may be repeated.
		 * @param baseEjectionTime Time until one request tries the instance again; it is
		 * doubled each time that fails.
		 * @param maxEjectionTime Longest time between two such tries.
		 */
		record Ejection(@DefaultValue("true") boolean enabled, @DefaultValue("5") int consecutiveFailures,
				@DefaultValue("false") boolean include5xx, @DefaultValue("1s") Duration baseEjectionTime,
				@DefaultValue("1m") Duration maxEjectionTime) {
		}

		/**
		 * Asking instances at intervals whether they are healthy, and doing without those
		 * that are not.
		 *
		 * @param enabled Whether instances are asked. One that does not answer with a
		 * status from 200 to 299 gets no requests until it does, unless it is the last.
		 * @param path Path to ask for, on the port of the instance.
		 * @param interval Time between two checks of an instance.
		 * @param timeout Time in which the whole answer has to come. The start of the
		 * gateway waits for the first answers.
		 */
		record HealthCheck(@DefaultValue("false") boolean enabled, @DefaultValue("/actuator/health") String path,
				@DefaultValue("10s") Duration interval, @DefaultValue("2s") Duration timeout) {
		}

	}

	/**
	 * How long to wait for an instance of any upstream, unless the upstream has timeouts
	 * of its own.
	 *
	 * @param connect Time until the connection is there; 0 waits for ever.
	 * @param response Time until the response begins; 0 waits for ever. It begins anew
	 * with every piece of the request's body.
	 * @param read Time between two pieces of a response; 0 waits for ever. Time in which
	 * the client takes nothing does not count.
	 */
	record Timeouts(@DefaultValue("5s") Duration connect, @DefaultValue("60s") Duration response,
			@DefaultValue("60s") Duration read) {
	}

	/**
	 * WebSockets on routes to an upstream.
	 *
	 * @param enabled Whether the starter passes them on. Without it, WebFlux passes them
	 * as a gateway without the starter, and WebMVC does not.
	 * @param idleTimeout Time without a byte in either direction, after which the gateway
	 * closes both sides with 1001; 0 waits for ever.
	 * @param maxOpen Number of WebSockets that may be open at a time; a request for one
	 * more gets 503.
	 */
	record WebSockets(@DefaultValue("true") boolean enabled, @DefaultValue("5m") Duration idleTimeout,
			@DefaultValue("4096") int maxOpen) {
	}

	/**
	 * Counting and timing of requests.
	 *
	 * @param enabled Whether requests are counted and timed.
	 * @param csv File with a row of figures every few seconds.
	 */
	record Metrics(@DefaultValue("true") boolean enabled, @DefaultValue Csv csv) {

		/**
		 * File with a row of figures every few seconds.
		 *
		 * @param enabled Whether the file is written.
		 * @param directory Directory of the file, which is created when missing.
		 * @param interval Time between two rows.
		 */
		record Csv(@DefaultValue("false") boolean enabled, @DefaultValue("gateway-data") String directory,
				@DefaultValue("2s") Duration interval) {
		}

	}

	/**
	 * Observations of requests, from which meters and traces come.
	 *
	 * @param enabled Whether each exchange is observed, and each of its attempts, in
	 * place of the observations of the gateway's client. Needs an ObservationRegistry
	 * bean.
	 */
	record Observations(@DefaultValue("false") boolean enabled) {
	}

	/**
	 * Lookup of routes by their paths.
	 *
	 * @param enabled Whether a request is tested against the routes that its path can
	 * match only, not against all, one after another.
	 */
	record RouteIndex(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * Server that the clients of the gateway talk to.
	 *
	 * @param tuned Whether the server is set up for a gateway. Reactor Netty accepts all
	 * connections that wait, and keeps its memory in Netty's pooled allocator where the
	 * JVM grants no native access. Tomcat writes responses in pieces of 32 KB out of
	 * direct memory. On virtual threads it starts 100 requests per processor at once. It
	 * keeps the connection of a client for any number of requests, unless
	 * 'server.tomcat.max-keep-alive-requests' is set.
	 * @param maxCancelledStreams Number of streams that clients may cancel on one HTTP/2
	 * connection before it is closed: within 10 seconds on WebFlux, in a row without a
	 * response in between on WebMVC.
	 * @param headTimeout Time from the first byte of a request to the end of its head,
	 * after which the client gets 408; 0 waits for ever. Over HTTP/2, Netty closes the
	 * connection, and Tomcat has no limit.
	 * @param bodyTimeout Longest pause of a client within the body of its request, after
	 * which the client gets 408; 0 waits for ever. Time in which the upstream takes
	 * nothing does not count.
	 */
	record Server(@DefaultValue("true") boolean tuned, @DefaultValue("1000") int maxCancelledStreams,
			@DefaultValue("20s") Duration headTimeout, @DefaultValue("30s") Duration bodyTimeout) {
	}

	/**
	 * Client for the requests to upstreams.
	 *
	 * @param tuned Whether the client is set up for a gateway: it passes on what it gets,
	 * and its connections are limited and checked. Reactor Netty's keeps its memory in
	 * Netty's pooled allocator where the JVM grants no native access.
	 * @param maxConnections Number of connections to all instances together. Only
	 * Apache's client, on WebMVC, has this limit. Upstreams that differ in their connect
	 * timeout or their certificates have a client each, and each client has the limit.
	 * @param maxConnectionsPerInstance Number of connections to one instance. The JDK's
	 * client, on WebMVC, has no limit.
	 * @param acquireTimeout Time to wait for a connection when the limit is reached,
	 * after which the request goes to another instance or is answered with 503.
	 * @param maxIdleTime Time after which a connection that is not in use is closed;
	 * shorter than that of the upstream, so that no request meets a connection that is
	 * being closed.
	 * @param maxConnectionAge Time after which a connection takes no more requests,
	 * however busy it is, so that a changed address of the host is noticed. The JDK's
	 * clients, on WebMVC, have no such limit.
	 */
	record HttpClient(@DefaultValue("true") boolean tuned, @DefaultValue("8192") int maxConnections,
			@DefaultValue("1024") int maxConnectionsPerInstance, @DefaultValue("5s") Duration acquireTimeout,
			@DefaultValue("4s") Duration maxIdleTime, @DefaultValue("2m") Duration maxConnectionAge) {
	}

}
