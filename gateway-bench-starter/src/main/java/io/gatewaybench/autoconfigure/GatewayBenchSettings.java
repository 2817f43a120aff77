package io.gatewaybench.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.GatewayHeadersCustomizer;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.Spelling;
import io.gatewaybench.internal.autoconfigure.NativeRoutes;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.internal.metrics.CsvSettings;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.internal.upstream.HealthCheckSettings;
import io.gatewaybench.metrics.CsvColumn;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.gatewaybench.rewrite.GatewayMetadataContributor;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.EjectionSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamSettings;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Turns properties into the settings of the core, and refuses what cannot work with the
 * name of the property, its value and what to write instead.
 */
final class GatewayBenchSettings {

	private static final String PREFIX = "gateway-bench.";

	private static final Duration MAX_TIMEOUT = Duration.ofHours(24);

	private static final Log logger = LogFactory.getLog(GatewayBenchSettings.class);

	private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

	private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]");

	private static final Pattern HASH_BY = Pattern.compile("client-address|(header|cookie|query):([!-~]+)");

	private static final Pattern WILDCARD = Pattern.compile("[*?{]");

	private final GatewayBenchProperties properties;

	private final Flavour flavour;

	private final String instance;

	private final HeldMemory heldMemory;

	GatewayBenchSettings(GatewayBenchProperties properties, Flavour flavour, @Nullable String applicationName) {
		this.properties = properties;
		this.flavour = flavour;
		this.instance = instance(properties.instance(), applicationName);
		this.heldMemory = heldMemory(properties.bodyRewrite().maxTotalBufferSize());
		positive(PREFIX + "server.max-cancelled-streams", properties.server().maxCancelledStreams());
		checkTimeout(PREFIX + "server.head-timeout", properties.server().headTimeout());
		checkTimeout(PREFIX + "server.body-timeout", properties.server().bodyTimeout());
	}

	/**
	 * A name that was chosen for this purpose has to be right; the name of the
	 * application was not, so it is made right.
	 */
	private static String instance(@Nullable String configured, @Nullable String applicationName) {
		if (StringUtils.hasText(configured)) {
			if (UNPRINTABLE.matcher(configured).find()) {
				throw invalid(PREFIX + "instance", configured,
						"The name is used in headers, so it must be printable ASCII, without line breaks.");
			}
			return configured;
		}
		return StringUtils.hasText(applicationName) ? UNPRINTABLE.matcher(applicationName).replaceAll("?") : "gateway";
	}

	/**
	 * All upstreams.
	 * @param chooser what chooses instances in place of the policy
	 * @param sslBundles the bundles of the application, {@code null} if there are none
	 * @param discovery what knows the instances of services
	 */
	Upstreams upstreams(@Nullable InstanceChooser chooser, @Nullable SslBundles sslBundles,
			Supplier<@Nullable DiscoveryClient> discovery) {
		List<Upstream> upstreams = new ArrayList<>();
		this.properties.upstreams()
			.forEach((name, upstream) -> upstreams.add(upstream(name, upstream, chooser, sslBundles, discovery)));
		return new Upstreams(upstreams);
	}

	private Upstream upstream(String name, GatewayBenchProperties.Upstream upstream, @Nullable InstanceChooser chooser,
			@Nullable SslBundles sslBundles, Supplier<@Nullable DiscoveryClient> discovery) {
		if (!isHost(name)) {
			throw invalid(PREFIX + "upstreams." + name, name,
					"The name of an upstream is used in 'rr://name', so it must be a valid host"
							+ " name: letters, digits and hyphens, or several of those with dots between, the last one"
							+ " starting with a letter.");
		}
		UpstreamSettings settings = new UpstreamSettings(timeouts(name, upstream.timeouts()), ejection(),
				(chooser != null) ? chooser : this.properties.loadBalancing().policy().chooser(),
				sslBundle(name, upstream.ssl().bundle(), sslBundles), affinity(name, upstream), limit(name, upstream));
		String service = upstream.serviceId();
		if (service != null) {
			return new Upstream(name, lookup(name, upstream, service, discovery), settings);
		}
		Map<Instance, Integer> weights = weights(name, upstream);
		if (upstream.resolve() == GatewayBenchProperties.Upstream.Resolve.HOST
				|| !this.properties.loadBalancing().enabled()) {
			return new Upstream(name, weights, settings);
		}
		for (Instance instance : weights.keySet()) {
			if (instance.scheme().equals("https")) {
				throw invalid(PREFIX + "upstreams." + name + ".resolve", "all",
						"The certificate of '%s' is for its name, not for its addresses. Use 'host'."
							.formatted(instance.url()));
			}
		}
		return Upstream.ofAddresses(name, weights, settings);
	}

	private static UpstreamSettings.@Nullable Limit limit(String name, GatewayBenchProperties.Upstream upstream) {
		String property = PREFIX + "upstreams." + name + ".";
		Integer most = upstream.maxInFlight();
		Duration time = upstream.maxQueueTime();
		if (time.isNegative() || time.compareTo(MAX_TIMEOUT) > 0) {
			throw invalid(property + "max-queue-time", time, "The time is at most 24h, or 0 if no request waits.");
		}
		if (most == null && !time.isZero()) {
			throw invalid(property + "max-queue-time", time,
					"Requests wait only where there is a limit. Set 'max-in-flight', too.");
		}
		return (most != null) ? check(property + "max-in-flight", most, () -> new UpstreamSettings.Limit(most, time))
				: null;
	}

	private UpstreamSettings.@Nullable Affinity affinity(String name, GatewayBenchProperties.Upstream upstream) {
		String property = PREFIX + "upstreams." + name + ".";
		String cookie = upstream.stickyCookie();
		double factor = upstream.hashBalanceFactor();
		Function<InstanceChooser.Request, @Nullable String> key = key(property + "hash-by", upstream.hashBy());
		check(property + "hash-balance-factor", factor, () -> new UpstreamSettings.Affinity(key, factor, null));
		UpstreamSettings.Affinity affinity = check(property + "sticky-cookie", cookie,
				() -> new UpstreamSettings.Affinity(key, factor, cookie));
		this.properties.upstreams().forEach((other, settings) -> {
			if (cookie != null && !other.equals(name) && cookie.equals(settings.stickyCookie())) {
				throw invalid(property + "sticky-cookie", cookie,
						"Upstream '%s' has this cookie, too, so each would replace the other's. Use two names."
							.formatted(other));
			}
		});
		return (upstream.hashBy() != null || cookie != null) ? affinity : null;
	}

	private static Function<InstanceChooser.Request, @Nullable String> key(String property, @Nullable String hashBy) {
		if (hashBy == null) {
			return (request) -> null;
		}
		Matcher matcher = HASH_BY.matcher(hashBy);
		if (!matcher.matches()) {
			throw invalid(property, hashBy, "Write header:NAME, cookie:NAME, query:NAME or client-address.");
		}
		String name = Objects.requireNonNullElse(matcher.group(2), "");
		return switch (Objects.requireNonNullElse(matcher.group(1), "")) {
			case "header" -> (request) -> request.header(name);
			case "cookie" -> (request) -> request.cookie(name);
			case "query" -> (request) -> request.queryParameter(name);
			default -> InstanceChooser.Request::clientAddress;
		};
	}

	/**
	 * What looks up the instances of a service. Without load balancing, one takes all
	 * requests, the same each time.
	 */
	private Supplier<Map<String, Integer>> lookup(String name, GatewayBenchProperties.Upstream upstream, String service,
			Supplier<@Nullable DiscoveryClient> discovery) {
		String property = PREFIX + "upstreams." + name + ".service-id";
		required(property, service, "The name of a service is not empty.");
		if (!upstream.instances().isEmpty() || upstream.resolve() != GatewayBenchProperties.Upstream.Resolve.HOST) {
			throw invalid(property, service,
					"The instances come from the service, so leave out 'instances' and 'resolve'.");
		}
		DiscoveryClient client = discovery.get();
		if (client == null) {
			throw invalid(property, service,
					"There is no DiscoveryClient that could tell its instances. Add the starter of a registry.");
		}
		boolean all = this.properties.loadBalancing().enabled();
		return () -> client.getInstances(service)
			.stream()
			.map(GatewayBenchSettings::url)
			.sorted()
			.limit(all ? Long.MAX_VALUE : 1)
			.collect(Collectors.toMap(Function.identity(), (url) -> 1, (one, same) -> one));
	}

	private static String url(ServiceInstance instance) {
		// Without a host it is refused like any other URL that is none
		String host = Objects.requireNonNullElse(instance.getHost(), "");
		return "%s://%s:%d".formatted(instance.isSecure() ? "https" : "http",
				(host.indexOf(':') >= 0 && !host.startsWith("[")) ? "[" + host + "]" : host, instance.getPort());
	}

	Duration lookupInterval() {
		Duration interval = this.properties.loadBalancing().lookupInterval();
		return check(PREFIX + "load-balancing.lookup-interval", interval,
				() -> new HealthCheckSettings(Map.of(), interval, interval))
			.interval();
	}

	/**
	 * The bundle is read here. Otherwise one flavour would find its files missing at the
	 * start, and the other with each request.
	 */
	private @Nullable String sslBundle(String upstream, @Nullable String bundle, @Nullable SslBundles bundles) {
		if (bundle == null) {
			return null;
		}
		String property = PREFIX + "upstreams." + upstream + ".ssl.bundle";
		List<String> known = (bundles != null) ? bundles.getBundleNames() : List.of();
		if (bundles == null || !known.contains(bundle)) {
			throw invalid(property, bundle,
					known.isEmpty() ? "There is no such bundle. Add it to 'spring.ssl.bundle', which has none yet."
							: "There is no such bundle. Add it to 'spring.ssl.bundle', or use one of %s."
								.formatted(known.stream().sorted().toList()));
		}
		if (!this.properties.httpClient().tuned()) {
			throw invalid(property, bundle,
					"Only the starter's client has bundles for upstreams. Set 'gateway-bench.http-client.tuned' to true.");
		}
		check(property, bundle, () -> bundles.getBundle(bundle).createSslContext());
		return bundle;
	}

	/**
	 * An instance that is there twice has twice the weight. Without round robin the first
	 * one takes all requests.
	 */
	Map<Instance, Integer> weights(String name, GatewayBenchProperties.Upstream upstream) {
		String property = PREFIX + "upstreams." + name + ".instances";
		if (upstream.instances().isEmpty()) {
			throw invalid(property, upstream.instances(),
					"An upstream needs at least one instance, such as http://127.0.0.1:8081, or a 'service-id'.");
		}
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		for (int i = 0; i < upstream.instances().size(); i++) {
			GatewayBenchProperties.Upstream.Instance configured = upstream.instances().get(i);
			String element = "%s[%d]".formatted(property, i);
			String url = configured.url();
			Instance instance = check(element, Spelling.withoutSecrets(url),
					() -> Instance.parse(Objects.toString(url)));
			int weight = configured.weight();
			if (weights.containsKey(instance)) {
				logger.warn(
						("'%s' has %s more than once, so it gets more requests than others. If that is meant, write it"
								+ " once, with 'url' and 'weight'.")
							.formatted(property, instance.url()));
			}
			if (weight < 1 || weights.merge(instance, weight, Integer::sum) > Upstream.MAX_WEIGHT) {
				throw invalid(element + ".weight", weight,
						"The weight of an instance is a number from 1 to %d.".formatted(Upstream.MAX_WEIGHT));
			}
		}
		return this.properties.loadBalancing().enabled() ? weights : Map.of(weights.keySet().iterator().next(), 1);
	}

	private UpstreamTimeouts timeouts(String name, GatewayBenchProperties.Upstream.UpstreamTimeouts own) {
		GatewayBenchProperties.Timeouts all = this.properties.timeouts();
		String property = PREFIX + "upstreams." + name + ".timeouts.";
		return new UpstreamTimeouts(timeout(property, "connect", own.connect(), all.connect()),
				timeout(property, "response", own.response(), all.response()),
				timeout(property, "read", own.read(), all.read()));
	}

	private static Duration timeout(String property, String name, @Nullable Duration own, Duration common) {
		return (own != null) ? checkTimeout(property + name, own) : checkTimeout(PREFIX + "timeouts." + name, common);
	}

	private static Duration checkTimeout(String property, Duration timeout) {
		if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0
				|| (!timeout.isZero() && timeout.toMillis() == 0)) {
			throw invalid(property, timeout, "A timeout is from 1ms to 24h, or 0 to wait for ever.");
		}
		return timeout;
	}

	private EjectionSettings ejection() {
		GatewayBenchProperties.LoadBalancing.Ejection ejection = this.properties.loadBalancing().ejection();
		String property = PREFIX + "load-balancing.ejection.";
		if (ejection.consecutiveFailures() < 1) {
			throw invalid(property + "consecutive-failures", ejection.consecutiveFailures(),
					"The number of failures is 1 or more; 'enabled' switches ejection off.");
		}
		check(property + "base-ejection-time", ejection.baseEjectionTime(),
				() -> new EjectionSettings(1, false, ejection.baseEjectionTime(), ejection.baseEjectionTime()));
		EjectionSettings settings = check(property + "max-ejection-time", ejection.maxEjectionTime(),
				() -> new EjectionSettings(ejection.consecutiveFailures(), ejection.include5xx(),
						ejection.baseEjectionTime(), ejection.maxEjectionTime()));
		return ejection.enabled() ? settings : EjectionSettings.OFF;
	}

	/**
	 * Upstreams of the application itself have the settings of all.
	 */
	HealthCheckSettings healthChecks(Upstreams upstreams) {
		GatewayBenchProperties.LoadBalancing.HealthCheck common = this.properties.loadBalancing().healthCheck();
		String property = PREFIX + "load-balancing.health-check.";
		Duration interval = common.interval();
		check(property + "interval", interval, () -> new HealthCheckSettings(Map.of(), interval, interval));
		HealthCheckSettings none = check(property + "timeout", common.timeout(),
				() -> new HealthCheckSettings(Map.of(), interval, common.timeout()));
		check(property + "path", common.path(), () -> none.with("", common.path()));
		HealthCheckSettings settings = none;
		for (String name : upstreams.names()) {
			GatewayBenchProperties.Upstream configured = this.properties.upstreams().get(name);
			Boolean enabled = (configured != null) ? configured.healthCheck().enabled() : null;
			String own = (configured != null) ? configured.healthCheck().path() : null;
			String path = (own != null) ? own : common.path();
			HealthCheckSettings before = settings;
			HealthCheckSettings with = check(PREFIX + "upstreams." + name + ".health-check.path", path,
					() -> before.with(name, path));
			settings = ((enabled != null) ? enabled : common.enabled()) ? with : before;
		}
		return settings;
	}

	/**
	 * What the parser of URIs takes for a host is what routes can refer to.
	 */
	private static boolean isHost(String name) {
		try {
			return name.equals(new URI(Upstreams.SCHEME + "://" + name).getHost());
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

	FilterSettings filters(List<GatewayHeadersCustomizer> customizers,
			Stream<GatewayMetadataContributor> contributors) {
		boolean everyRoute = this.properties.scope() == GatewayBenchProperties.Scope.ALL;
		return new FilterSettings(new FeatureScope(enabled(), everyRoute),
				requestHeaders().customizedBy(customizers.stream().map(GatewayBenchSettings::ofRequests).toList()),
				responseHeaders().customizedBy(customizers.stream().map(GatewayBenchSettings::ofResponses).toList()),
				bodyRewriter(contributors), rewriteRules(),
				new RequestRules(this.properties.unclearPaths() == GatewayBenchProperties.UnclearPaths.PASS),
				this.properties.server().tuned() ? this.properties.server().bodyTimeout() : Duration.ZERO,
				new RequestBodies(this.heldMemory, connectionsPerInstance()));
	}

	/** A client that is not tuned has limits of its own, or none. */
	private int connectionsPerInstance() {
		GatewayBenchProperties.HttpClient client = this.properties.httpClient();
		return client.tuned() ? client.maxConnectionsPerInstance() : Integer.MAX_VALUE;
	}

	private static BiConsumer<@Nullable String, HttpHeaders> ofRequests(GatewayHeadersCustomizer customizer) {
		return customizer::customizeRequest;
	}

	private static BiConsumer<@Nullable String, HttpHeaders> ofResponses(GatewayHeadersCustomizer customizer) {
		return customizer::customizeResponse;
	}

	private RouteFeatures enabled() {
		Set<Feature> on = EnumSet.noneOf(Feature.class);
		if (this.properties.stripPrefix().enabled()) {
			on.add(Feature.STRIP_PREFIX);
		}
		if (this.properties.headers().enabled()) {
			on.add(Feature.HEADERS);
		}
		if (this.properties.bodyRewrite().enabled()) {
			on.add(Feature.BODY_REWRITE);
		}
		if (this.properties.metrics().enabled()) {
			on.add(Feature.METRICS);
		}
		return RouteFeatures.of(on, notNegative(PREFIX + "strip-prefix.parts", this.properties.stripPrefix().parts()));
	}

	GatewayRoutes routes(Upstreams upstreams) {
		RouteFeatures enabled = enabled();
		List<GatewayRoute> routes = new ArrayList<>();
		Set<String> ids = new HashSet<>();
		Map<String, String> idsByPath = new HashMap<>();
		for (int i = 0; i < this.properties.routes().size(); i++) {
			GatewayBenchProperties.Route route = this.properties.routes().get(i);
			String property = PREFIX + "routes[%d]".formatted(i);
			String id = required(property + ".id", route.id(), "A route needs an id.");
			if (!ids.add(id)) {
				throw invalid(property + ".id", id,
						"Another route has this id already; each needs one of its own, as metrics are kept by it.");
			}
			if (CONTROL.matcher(id).find()) {
				throw invalid(property + ".id", id,
						"The id is used in logs and metrics, so it has no line breaks and no"
								+ " other control characters.");
			}
			String path = required(property + ".path", route.path(), "A route needs a path, such as /service-a/**.");
			checkPath(property + ".path", path);
			String first = idsByPath.putIfAbsent(path, id);
			if (first != null) {
				throw invalid(property + ".path", path,
						"Route '%s' has this path already and takes all its requests.".formatted(first));
			}
			String upstream = required(property + ".upstream", route.upstream(), "A route needs an upstream.");
			if (!upstreams.contains(upstream)) {
				throw NativeRoutes.unknown(property + ".upstream", upstream, upstreams);
			}
			Integer stripPrefix = route.stripPrefix();
			RouteFeatures features = (stripPrefix != null)
					? enabled.strippingParts(notNegative(property + ".strip-prefix", stripPrefix)) : enabled;
			if (!WILDCARD.matcher(path).find() && path.length() > 1 && features.upstreamPath(path).equals("/")) {
				logger
					.warn(("'%s.path' matches only %s itself, and the upstream gets the path /. To take the paths below"
							+ " it, too, write %s/**; to keep the path, set 'strip-prefix' of the route to 0.")
						.formatted(property, path, path));
			}
			routes.add(new GatewayRoute(id, path, upstream, features));
		}
		return new GatewayRoutes(routes);
	}

	private static void checkPath(String property, String path) {
		if (!path.startsWith("/")) {
			throw invalid(property, path, "The pattern of a path starts with a slash.");
		}
		try {
			PathPatternParser.defaultInstance.parse(path);
		}
		catch (PatternParseException ex) {
			throw invalid(property, path,
					"The pattern cannot be parsed at position %d: %s.".formatted(ex.getPosition(), ex.getMessage()));
		}
	}

	private HeaderRules requestHeaders() {
		return headers("request", this.properties.headers().request(), Map.of("X-Gateway-Type", "{type}"));
	}

	private HeaderRules responseHeaders() {
		Map<String, String> defaults = new LinkedHashMap<>();
		defaults.put("X-Gateway-Type", "{type}");
		defaults.put("X-Gateway-Instance", "{instance}");
		defaults.put("X-Served-By", "Spring-Cloud-Gateway-{type}");
		return headers("response", this.properties.headers().response(), defaults);
	}

	private HeaderRules headers(String direction, @Nullable Map<String, String> configured,
			Map<String, String> defaults) {
		Map<String, String> resolved = new LinkedHashMap<>();
		((configured != null) ? configured : defaults).forEach((name, template) -> {
			String value = template.replace("{type}", this.flavour.label()).replace("{instance}", this.instance);
			String key = name.matches("[\\w-]+") ? "." + name : "[%s]".formatted(name);
			check(PREFIX + "headers." + direction + key, template, () -> HeaderRules.of(Map.of(name, value)));
			resolved.put(name, value);
		});
		return HeaderRules.of(resolved);
	}

	/**
	 * Where Netty keeps bodies, outside the heap, it has as much memory as the heap
	 * unless it is told otherwise.
	 */
	private static HeldMemory heldMemory(@Nullable DataSize most) {
		String property = PREFIX + "body-rewrite.max-total-buffer-size";
		return (most == null) ? HeldMemory.of(Runtime.getRuntime().maxMemory() / 8)
				: check(property, most, () -> HeldMemory.of(withinHeap(property, most)));
	}

	private static long withinHeap(String property, DataSize size) {
		long heap = Runtime.getRuntime().maxMemory();
		if (size.toBytes() > heap) {
			logger.warn("'%s' is %d bytes, but the heap has %d. Bodies may fill it before the limit is reached."
				.formatted(property, size.toBytes(), heap));
		}
		return size.toBytes();
	}

	/**
	 * What bodies are held in.
	 */
	HeldMemory heldMemory() {
		return this.heldMemory;
	}

	private RewriteRules rewriteRules() {
		List<String> names = this.properties.bodyRewrite().signatureHeaders();
		return check(PREFIX + "body-rewrite.signature-headers", names, () -> RewriteRules.of(names));
	}

	private BodyRewriter bodyRewriter(Stream<GatewayMetadataContributor> contributors) {
		GatewayBenchProperties.BodyRewrite rewrite = this.properties.bodyRewrite();
		// One after the other, so that the message names the one at fault
		GatewayMetadata metadata = GatewayMetadata.of(this.flavour.label(), System::currentTimeMillis);
		contributors.forEach((contributor) -> contributor.contribute(metadata));
		check(PREFIX + "body-rewrite.field", rewrite.field(), () -> rewriteSettings(rewrite, 1, metadata));
		String size = PREFIX + "body-rewrite.max-buffer-size";
		RewriteSettings settings = check(size, rewrite.maxBufferSize(),
				() -> rewriteSettings(rewrite, withinHeap(size, rewrite.maxBufferSize()), metadata));
		return rewrite.enabled()
				? check(PREFIX + "body-rewrite.engine", rewrite.engine().name().toLowerCase(Locale.ROOT),
						() -> BodyRewriter.of(settings))
					.within(this.heldMemory)
				: BodyRewriter.disabled();
	}

	private static RewriteSettings rewriteSettings(GatewayBenchProperties.BodyRewrite rewrite, long maxBufferSize,
			GatewayMetadata metadata) {
		return new RewriteSettings(rewrite.field(), rewrite.engine(), maxBufferSize, metadata);
	}

	boolean isObserved() {
		return this.properties.observations().enabled();
	}

	CsvSettings csv(List<CsvColumn> columns) {
		GatewayBenchProperties.Metrics.Csv csv = this.properties.metrics().csv();
		required(PREFIX + "metrics.csv.directory", csv.directory(),
				"The file needs a directory. Write '.' for that in which the gateway was started.");
		Path directory = check(PREFIX + "metrics.csv.directory", csv.directory(), () -> Path.of(csv.directory()));
		CsvSettings settings = check(PREFIX + "metrics.csv.interval", csv.interval(),
				() -> new CsvSettings(directory, csv.interval(), List.of()));
		return new CsvSettings(settings.directory(), settings.interval(), columns);
	}

	ConnectionSettings connections() {
		GatewayBenchProperties.HttpClient client = this.properties.httpClient();
		String property = PREFIX + "http-client.";
		positive(property + "max-connections-per-instance", client.maxConnectionsPerInstance());
		positive(property + "max-connections", client.maxConnections());
		atLeastOneMillisecond(property + "acquire-timeout", client.acquireTimeout());
		atLeastOneMillisecond(property + "max-idle-time", client.maxIdleTime());
		atLeastOneMillisecond(property + "max-connection-age", client.maxConnectionAge());
		return new ConnectionSettings(client.maxConnectionsPerInstance(), client.maxConnections(),
				client.acquireTimeout(), client.maxIdleTime(), client.maxConnectionAge());
	}

	private static void positive(String property, int value) {
		if (value < 1) {
			throw invalid(property, value, "At least one connection is needed.");
		}
	}

	private static void atLeastOneMillisecond(String property, Duration value) {
		if (value.toMillis() < 1) {
			throw invalid(property, value, "The time is 1ms or more.");
		}
	}

	private static int notNegative(String property, int value) {
		if (value < 0) {
			throw invalid(property, value, "The number of segments to drop is 0 or more.");
		}
		return value;
	}

	private static String required(String property, @Nullable String value, String reason) {
		if (!StringUtils.hasText(value)) {
			throw invalid(property, value, reason);
		}
		return value;
	}

	private static <T> T check(String property, @Nullable Object value, Supplier<T> setting) {
		try {
			return setting.get();
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			throw invalid(property, value, StringUtils.capitalize(String.valueOf(ex.getMessage())) + ".");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException(property, value, reason);
	}

}
