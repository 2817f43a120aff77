package io.gatewaybench.autoconfigure;

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
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.GatewayHeadersCustomizer;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.autoconfigure.NativeRoutes;
import io.gatewaybench.internal.exchange.Exchanges;
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
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.metrics.CsvColumn;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.gatewaybench.rewrite.GatewayMetadataContributor;
import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Turns all properties but those of upstreams into the settings of the core, and refuses
 * what cannot work.
 */
final class GatewayBenchSettings {

	private static final String PREFIX = "gateway-bench.";

	private static final Log logger = LogFactory.getLog(GatewayBenchSettings.class);

	private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

	private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]");

	private static final Pattern WILDCARD = Pattern.compile("[*?{]");

	private final GatewayBenchProperties properties;

	private final Flavour flavour;

	private final String instance;

	private final HeldMemory heldMemory;

	private final ConfiguredUpstreams upstreams;

	GatewayBenchSettings(GatewayBenchProperties properties, Flavour flavour, @Nullable String applicationName) {
		this.properties = properties;
		this.upstreams = new ConfiguredUpstreams(properties);
		this.flavour = flavour;
		this.instance = instance(properties.instance(), applicationName);
		this.heldMemory = heldMemory(properties.bodyRewrite().maxTotalBufferSize());
		PropertyChecks.positive(PREFIX + "server.max-cancelled-streams", properties.server().maxCancelledStreams(),
				"At least one stream may be cancelled.");
		PropertyChecks.checkTimeout(PREFIX + "server.head-timeout", properties.server().headTimeout());
		PropertyChecks.checkTimeout(PREFIX + "server.body-timeout", properties.server().bodyTimeout());
	}

	/**
	 * A name that was chosen for this purpose has to be right; the name of the
	 * application was not, so it is made right.
	 */
	private static String instance(@Nullable String configured, @Nullable String applicationName) {
		if (StringUtils.hasText(configured)) {
			if (UNPRINTABLE.matcher(configured).find()) {
				throw PropertyChecks.invalid(PREFIX + "instance", configured,
						"The name is used in headers, so it must be printable ASCII, without line breaks.");
			}
			return configured;
		}
		return StringUtils.hasText(applicationName) ? UNPRINTABLE.matcher(applicationName).replaceAll("?") : "gateway";
	}

	/**
	 * What is configured of upstreams.
	 */
	ConfiguredUpstreams upstreams() {
		return this.upstreams;
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
		return new GatewayRoutes(routes(this.properties.routes(), upstreams.names()));
	}

	/**
	 * Routes as the flavours take them.
	 * @param configured the routes in the properties
	 * @param upstreams names of the upstreams that they may lead to
	 */
	List<GatewayRoute> routes(List<GatewayBenchProperties.Route> configured, Set<String> upstreams) {
		RouteFeatures enabled = enabled();
		List<GatewayRoute> routes = new ArrayList<>();
		Set<String> ids = new HashSet<>();
		Map<String, String> idsByPath = new HashMap<>();
		for (int i = 0; i < configured.size(); i++) {
			GatewayBenchProperties.Route route = configured.get(i);
			String property = PREFIX + "routes[%d]".formatted(i);
			String id = PropertyChecks.required(property + ".id", route.id(), "A route needs an id.");
			if (!ids.add(id)) {
				throw PropertyChecks.invalid(property + ".id", id,
						"Another route has this id already; each needs one of its own, as metrics are kept by it.");
			}
			if (CONTROL.matcher(id).find()) {
				throw PropertyChecks.invalid(property + ".id", id,
						"The id is used in logs and metrics, so it has no line breaks and no"
								+ " other control characters.");
			}
			String path = PropertyChecks.required(property + ".path", route.path(),
					"A route needs a path, such as /service-a/**.");
			checkPath(property + ".path", path);
			String first = idsByPath.putIfAbsent(path, id);
			if (first != null) {
				throw PropertyChecks.invalid(property + ".path", path,
						"Route '%s' has this path already and takes all its requests.".formatted(first));
			}
			String upstream = PropertyChecks.required(property + ".upstream", route.upstream(),
					"A route needs an upstream.");
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
		return routes;
	}

	private static void checkPath(String property, String path) {
		if (!path.startsWith("/")) {
			throw PropertyChecks.invalid(property, path, "The pattern of a path starts with a slash.");
		}
		try {
			PathPatternParser.defaultInstance.parse(path);
		}
		catch (PatternParseException ex) {
			throw PropertyChecks.invalid(property, path,
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
			PropertyChecks.check(PREFIX + "headers." + direction + key, template,
					() -> HeaderRules.of(Map.of(name, value)));
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
				: PropertyChecks.check(property, most, () -> HeldMemory.of(withinHeap(property, most)));
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
		return PropertyChecks.check(PREFIX + "body-rewrite.signature-headers", names, () -> RewriteRules.of(names));
	}

	private BodyRewriter bodyRewriter(Stream<GatewayMetadataContributor> contributors) {
		GatewayBenchProperties.BodyRewrite rewrite = this.properties.bodyRewrite();
		// One after the other, so that the message names the one at fault
		GatewayMetadata metadata = GatewayMetadata.of(this.flavour.label(), System::currentTimeMillis);
		contributors.forEach((contributor) -> contributor.contribute(metadata));
		PropertyChecks.check(PREFIX + "body-rewrite.field", rewrite.field(),
				() -> rewriteSettings(rewrite, 1, metadata));
		String size = PREFIX + "body-rewrite.max-buffer-size";
		RewriteSettings settings = PropertyChecks.check(size, rewrite.maxBufferSize(),
				() -> rewriteSettings(rewrite, withinHeap(size, rewrite.maxBufferSize()), metadata));
		return rewrite.enabled() ? PropertyChecks
			.check(PREFIX + "body-rewrite.engine", rewrite.engine().name().toLowerCase(Locale.ROOT),
					() -> BodyRewriter.of(settings))
			.within(this.heldMemory) : BodyRewriter.disabled();
	}

	private static RewriteSettings rewriteSettings(GatewayBenchProperties.BodyRewrite rewrite, long maxBufferSize,
			GatewayMetadata metadata) {
		return new RewriteSettings(rewrite.field(), rewrite.engine(), maxBufferSize, metadata);
	}

	WebSockets webSockets(Exchanges exchanges) {
		GatewayBenchProperties.WebSockets webSockets = this.properties.webSockets();
		PropertyChecks.checkTimeout(PREFIX + "web-sockets.idle-timeout", webSockets.idleTimeout());
		PropertyChecks.positive(PREFIX + "web-sockets.max-open", webSockets.maxOpen(),
				"At least one WebSocket may be open. To pass none on, set 'enabled' to false.");
		return new WebSockets(webSockets.idleTimeout(), webSockets.maxOpen(), exchanges.metrics(), exchanges.timer());
	}

	boolean isObserved() {
		return this.properties.observations().enabled();
	}

	CsvSettings csv(List<CsvColumn> columns) {
		GatewayBenchProperties.Metrics.Csv csv = this.properties.metrics().csv();
		PropertyChecks.required(PREFIX + "metrics.csv.directory", csv.directory(),
				"The file needs a directory. Write '.' for that in which the gateway was started.");
		Path directory = PropertyChecks.check(PREFIX + "metrics.csv.directory", csv.directory(),
				() -> Path.of(csv.directory()));
		CsvSettings settings = PropertyChecks.check(PREFIX + "metrics.csv.interval", csv.interval(),
				() -> new CsvSettings(directory, csv.interval(), List.of()));
		return new CsvSettings(settings.directory(), settings.interval(), columns);
	}

	private static int notNegative(String property, int value) {
		if (value < 0) {
			throw PropertyChecks.invalid(property, value, "The number of segments to drop is 0 or more.");
		}
		return value;
	}

}
