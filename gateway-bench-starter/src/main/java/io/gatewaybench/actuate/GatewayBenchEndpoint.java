package io.gatewaybench.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.routing.RouteDescription;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.internal.routing.RouteIndexSummary;
import io.gatewaybench.internal.upstream.ClientInUse;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceStatus;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.http.server.PathContainer;

/**
 * Endpoint {@code gatewaybench}, the same on both flavours: upstreams and the state of
 * their instances, routes in the order in which they are tried, limits of the client, and
 * what became of response bodies. An operator can take an instance out of service and put
 * it back.
 *
 * @since 0.1.0
 */
@Endpoint(id = "gatewaybench")
public final class GatewayBenchEndpoint {

	private final Flavour flavour;

	private final Upstreams upstreams;

	private final @Nullable RouteIndexHolder<?> routes;

	private final ClientInUse.Limits client;

	private final GatewayMetrics metrics;

	GatewayBenchEndpoint(Flavour flavour, Upstreams upstreams, @Nullable RouteIndexHolder<?> routes,
			ClientInUse.Limits client, GatewayMetrics metrics) {
		this.flavour = flavour;
		this.upstreams = upstreams;
		this.routes = routes;
		this.client = client;
		this.metrics = metrics;
	}

	/**
	 * Everything but the single routes.
	 * @return the overview
	 */
	@ReadOperation
	public Overview overview() {
		Map<String, List<InstanceStatus>> instances = new TreeMap<>();
		this.upstreams.all().forEach((upstream) -> instances.put(upstream.name(), upstream.status()));
		return new Overview(this.flavour.label(), instances, index(), Client.of(this.client), this.metrics.rewrites());
	}

	private @Nullable Index index() {
		return (this.routes != null) ? this.routes.summary().map(Index::of).orElse(null) : null;
	}

	/**
	 * The routes.
	 * @param part {@code routes}
	 * @param path where a request would go; {@code null} for all routes
	 * @return all routes, or those that can take the path. The first of them whose whole
	 * predicate matches the request takes it. {@code null}, which is 404, for any other
	 * part and without an index of the routes
	 * @throws InvalidEndpointRequestException if the path does not begin with a slash
	 */
	@ReadOperation
	public @Nullable Routes routes(@Selector String part, @Nullable String path) {
		if (this.routes == null || !part.equals("routes")) {
			return null;
		}
		if (path != null && !path.startsWith("/")) {
			throw invalid("The path '%s' does not begin with a slash.", path);
		}
		return new Routes(path, this.routes.describe((path != null) ? PathContainer.parsePath(path) : null));
	}

	/**
	 * Take an instance out of service, or put it back. Requests on their way are not
	 * touched.
	 * @param part {@code upstreams}
	 * @param name name of the upstream
	 * @param instance URL of the instance, as it is configured
	 * @param outOfService whether it takes no more requests
	 * @throws InvalidEndpointRequestException if there is no such instance, or if no
	 * other one takes requests
	 */
	@WriteOperation
	public void change(@Selector String part, @Selector String name, String instance, boolean outOfService) {
		Upstream upstream = this.upstreams.all()
			.stream()
			.filter((candidate) -> part.equals("upstreams") && candidate.name().equals(name))
			.findFirst()
			.orElseThrow(() -> invalid("There is no '%s/%s'. Upstreams are at 'upstreams/NAME', NAME one of %s.", part,
					name, this.upstreams.names().stream().sorted().toList()));
		List<String> urls = upstream.status().stream().map(InstanceStatus::instance).toList();
		if (!urls.contains(instance)) {
			throw invalid("Upstream '%s' has no instance '%s' but %s.", name, instance, urls);
		}
		if (!outOfService) {
			upstream.putInService(Instance.parse(instance));
		}
		else if (!upstream.takeOutOfService(Instance.parse(instance))) {
			throw invalid("Instance '%s' of upstream '%s' is the last one that takes requests.", instance, name);
		}
	}

	private static InvalidEndpointRequestException invalid(String message, @Nullable Object... arguments) {
		String text = message.formatted(arguments);
		return new InvalidEndpointRequestException(text, text);
	}

	/**
	 * What the endpoint tells at once.
	 *
	 * @param flavour flavour of the gateway
	 * @param upstreams the instances of each upstream
	 * @param routeIndex what the index does for the routes, {@code null} without an index
	 * @param httpClient limits of the client
	 * @param rewrites how many response bodies the rewriter has dealt with, by what
	 * became of them; empty before the first one, and where nothing counts them
	 */
	public record Overview(String flavour, Map<String, List<InstanceStatus>> upstreams, @Nullable Index routeIndex,
			Client httpClient, Map<String, Long> rewrites) implements OperationResponseBody {
	}

	/**
	 * What the index does for the routes.
	 *
	 * @param indexed number of routes that are found by their path
	 * @param alwaysTested number of routes that are tested for every request, by the
	 * reason
	 */
	public record Index(int indexed, Map<String, Integer> alwaysTested) {

		static Index of(RouteIndexSummary summary) {
			return new Index(summary.indexed(),
					summary.alwaysTested()
						.entrySet()
						.stream()
						.collect(Collectors.toMap((entry) -> Objects.toString(entry.getKey()), Map.Entry::getValue,
								Integer::sum, TreeMap::new)));
		}

	}

	/**
	 * Limits of the client, each {@code null} where it has none, or where nobody knows
	 * it, as the application has changed the client.
	 *
	 * @param maxConnectionsPerInstance number of connections to one instance
	 * @param maxConnections number of connections to all instances together
	 * @param acquireTimeout time to wait for a connection
	 * @param maxIdleTime time after which a connection that is not in use is closed
	 * @param maxConnectionAge time after which a connection takes no more requests
	 */
	public record Client(@Nullable Integer maxConnectionsPerInstance, @Nullable Integer maxConnections,
			@Nullable String acquireTimeout, @Nullable String maxIdleTime, @Nullable String maxConnectionAge) {

		static Client of(ClientInUse.Limits limits) {
			return new Client(limits.maxPerInstance(), limits.maxTotal(), text(limits.acquireTimeout()),
					text(limits.maxIdleTime()), text(limits.maxAge()));
		}

		private static @Nullable String text(@Nullable Duration time) {
			return (time != null) ? time.toString() : null;
		}

	}

	/**
	 * Routes in the order in which they are tried.
	 *
	 * @param path the path that they can take, {@code null} for all routes
	 * @param routes the routes
	 */
	public record Routes(@Nullable String path, List<RouteDescription> routes) implements OperationResponseBody {
	}

}
