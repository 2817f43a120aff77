package io.gatewaybench.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.internal.routing.RouteLoader;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyCaching;
import org.springframework.boot.context.properties.source.ConfigurationPropertyCaching.CacheOverride;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Takes over instances, weights and routes that changed in the environment. What cannot
 * work is refused as at the start, but the gateway goes on with what it has.
 * <p>
 * The keys of an event do not tell what has changed, as a value may refer to any other
 * key. So what is configured now is compared with what was configured before.
 */
final class ConfigurationRefresh implements ApplicationListener<EnvironmentChangeEvent>, Ordered {

	private static final Log logger = LogFactory.getLog(ConfigurationRefresh.class);

	private static final String UPSTREAMS = "gateway-bench.upstreams";

	private static final String ROUTES = "gateway-bench.routes";

	private final GatewayBenchSettings settings;

	private final Upstreams upstreams;

	private final @Nullable GatewayRoutes routes;

	private final ObjectProvider<RouteLoader> loader;

	private final Environment environment;

	private final Set<String> first;

	private Configured known;

	private @Nullable String problem;

	/**
	 * Create the listener.
	 * @param routes what to replace, {@code null} if the application has routes of its
	 * own in their place
	 */
	ConfigurationRefresh(GatewayBenchSettings settings, GatewayBenchProperties properties, Upstreams upstreams,
			@Nullable GatewayRoutes routes, ObjectProvider<RouteLoader> loader, Environment environment) {
		this.settings = settings;
		this.upstreams = upstreams;
		this.routes = routes;
		this.loader = loader;
		this.environment = environment;
		this.first = Set.copyOf(properties.upstreams().keySet());
		this.known = new Configured(properties.upstreams(), properties.routes());
	}

	/**
	 * Before the gateway reads its native routes, so that broken ones stop only
	 * themselves, on both flavours.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public synchronized void onApplicationEvent(EnvironmentChangeEvent event) {
		long start = System.nanoTime();
		try {
			Configured configured = configured();
			if (!configured.equals(this.known)) {
				apply(configured, start);
				this.known = configured;
			}
			this.problem = null;
		}
		catch (RuntimeException ex) {
			// The same configuration comes again with each event that follows
			String told = ex + ", " + NestedExceptionUtils.getMostSpecificCause(ex);
			if (!told.equals(this.problem)) {
				this.problem = told;
				logger.error("Changes of '%s' and '%s' are ignored, as they cannot work".formatted(UPSTREAMS, ROUTES),
						ex);
			}
		}
	}

	private void apply(Configured configured, long start) {
		// All is checked before the first one changes
		Map<String, Map<Instance, Integer>> weights = new HashMap<>();
		configured.upstreams().forEach((name, upstream) -> {
			if (upstream.serviceId() == null) {
				weights.put(name, this.settings.upstreams().weights(name, upstream));
			}
		});
		boolean rerouted = !configured.routes().equals(this.known.routes());
		boolean renamed = !configured.upstreams().keySet().equals(this.known.upstreams().keySet());
		List<GatewayRoute> next = (this.routes != null && (rerouted || renamed)) ? routes(configured) : List.of();
		if (this.routes != null && rerouted) {
			// First, as the gateway may refuse them
			load(this.routes, next);
			logger.info("There are %d routes of '%s' now. To read, check and load them took %d ms"
				.formatted(next.size(), ROUTES, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
		}
		this.upstreams.all().forEach((upstream) -> refresh(upstream, weights.get(upstream.name())));
	}

	/**
	 * As at the start, a key of a route that does not exist is an error. Without the
	 * cache, each of thousands of keys is looked for in all names of a source that may
	 * change.
	 */
	private Configured configured() {
		Binder binder = Binder.get(this.environment);
		BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
		CacheOverride cached = ConfigurationPropertyCaching.get(this.environment).override();
		try {
			return new Configured(
					binder.bind(UPSTREAMS, Bindable.mapOf(String.class, UpstreamProperties.class)).orElseGet(Map::of),
					binder.bind(ROUTES, Bindable.listOf(GatewayBenchProperties.Route.class), strict)
						.orElseGet(List::of));
		}
		finally {
			cached.close();
		}
	}

	/**
	 * An upstream that is not configured any more stays for requests on their way, but a
	 * route to it could not start again.
	 */
	private List<GatewayRoute> routes(Configured configured) {
		Set<String> names = new HashSet<>(this.upstreams.names());
		names.removeIf((name) -> this.first.contains(name) && !configured.upstreams().containsKey(name));
		for (int i = 0; i < configured.routes().size(); i++) {
			String upstream = configured.routes().get(i).upstream();
			if (configured.upstreams().containsKey(upstream) && !names.contains(upstream)) {
				throw PropertyChecks.invalid("%s[%d].upstream".formatted(ROUTES, i), upstream,
						"This upstream is new, and new upstreams need a restart of the gateway.");
			}
		}
		return this.settings.routes(configured.routes(), names);
	}

	private static void refresh(Upstream upstream, @Nullable Map<Instance, Integer> weights) {
		// What is looked up since the start is looked up until the end
		if (weights != null && !upstream.isDiscovered()) {
			upstream.replace(weights);
		}
	}

	private void load(GatewayRoutes routes, List<GatewayRoute> next) {
		List<GatewayRoute> before = routes.routes();
		routes.replace(next);
		try {
			this.loader.ifAvailable(RouteLoader::load);
		}
		catch (RuntimeException ex) {
			routes.replace(before);
			throw ex;
		}
	}

	private record Configured(Map<String, UpstreamProperties> upstreams, List<GatewayBenchProperties.Route> routes) {
	}

}
