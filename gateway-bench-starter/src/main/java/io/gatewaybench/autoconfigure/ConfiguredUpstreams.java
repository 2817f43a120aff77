package io.gatewaybench.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.net.ssl.SSLContext;

import io.gatewaybench.internal.Spelling;
import io.gatewaybench.internal.exchange.Mirror;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.upstream.ConnectionSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.internal.upstream.HealthCheckSettings;
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

import org.springframework.boot.ssl.SslBundles;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Turns the properties of upstreams into the settings of the core, and refuses what
 * cannot work.
 */
final class ConfiguredUpstreams {

	private static final String PREFIX = "gateway-bench.";

	private static final Log logger = LogFactory.getLog(ConfiguredUpstreams.class);

	private static final Pattern KEY = Pattern.compile("client-address|(header|cookie|query):([!-~]+)");

	private final GatewayBenchProperties properties;

	ConfiguredUpstreams(GatewayBenchProperties properties) {
		this.properties = properties;
	}

	/**
	 * All upstreams.
	 * @param chooser what chooses instances in place of the policy
	 * @param sslBundles the bundles of the application, {@code null} if there are none
	 * @param discovery what knows the instances of services
	 */
	Upstreams all(@Nullable InstanceChooser chooser, @Nullable SslBundles sslBundles,
			Supplier<@Nullable DiscoveryClient> discovery) {
		List<Upstream> upstreams = new ArrayList<>();
		this.properties.upstreams()
			.forEach((name, upstream) -> upstreams.add(upstream(name, upstream, chooser, sslBundles, discovery)));
		return new Upstreams(upstreams);
	}

	private Upstream upstream(String name, UpstreamProperties upstream, @Nullable InstanceChooser chooser,
			@Nullable SslBundles sslBundles, Supplier<@Nullable DiscoveryClient> discovery) {
		if (!isHost(name)) {
			throw PropertyChecks.invalid(PREFIX + "upstreams." + name, name,
					"The name of an upstream is used in 'rr://name', so it must be a valid host"
							+ " name: letters, digits and hyphens, or several of those with dots between, the last one"
							+ " starting with a letter.");
		}
		UpstreamSettings settings = new UpstreamSettings(timeouts(name, upstream.timeouts()), ejection(),
				(chooser != null) ? chooser : this.properties.loadBalancing().policy().chooser(),
				sslBundle(name, upstream.ssl().bundle(), sslBundles), affinity(name, upstream), limit(name, upstream),
				rateLimit(name, upstream.rateLimit()), isHttp2(name, upstream));
		String service = upstream.serviceId();
		if (service != null) {
			return new Upstream(name, lookup(name, upstream, service, discovery), settings);
		}
		Map<Instance, Integer> weights = weights(name, upstream);
		if (upstream.resolve() == UpstreamProperties.Resolve.HOST || !this.properties.loadBalancing().enabled()) {
			return new Upstream(name, weights, settings);
		}
		for (Instance instance : weights.keySet()) {
			if (instance.scheme().equals("https")) {
				throw PropertyChecks.invalid(PREFIX + "upstreams." + name + ".resolve", "all",
						"The certificate of '%s' is for its name, not for its addresses. Use 'host'."
							.formatted(instance.url()));
			}
		}
		return Upstream.ofAddresses(name, weights, settings);
	}

	private boolean isHttp2(String name, UpstreamProperties upstream) {
		boolean http2 = upstream.protocol() == UpstreamProperties.Protocol.HTTP2;
		if (http2 && !this.properties.httpClient().tuned()) {
			throw PropertyChecks.invalid(PREFIX + "upstreams." + name + ".protocol", "http2",
					"Only the starter's client speaks HTTP/2. Set 'gateway-bench.http-client.tuned' to true.");
		}
		return http2;
	}

	private static UpstreamSettings.@Nullable Limit limit(String name, UpstreamProperties upstream) {
		String property = PREFIX + "upstreams." + name + ".";
		Integer most = upstream.maxInFlight();
		Duration time = upstream.maxQueueTime();
		if (time.isNegative() || time.compareTo(PropertyChecks.MAX_TIMEOUT) > 0) {
			throw PropertyChecks.invalid(property + "max-queue-time", time,
					"The time is at most 24h, or 0 if no request waits.");
		}
		if (most == null && !time.isZero()) {
			throw PropertyChecks.invalid(property + "max-queue-time", time,
					"Requests wait only where there is a limit. Set 'max-in-flight', too.");
		}
		return (most != null)
				? PropertyChecks.check(property + "max-in-flight", most, () -> new UpstreamSettings.Limit(most, time))
				: null;
	}

	private static UpstreamSettings.@Nullable RateLimit rateLimit(String name, UpstreamProperties.RateLimit limit) {
		String property = PREFIX + "upstreams." + name + ".rate-limit.";
		Function<InstanceChooser.Request, @Nullable String> key = key(property + "by", limit.by());
		Double rate = limit.requestsPerSecond();
		if (rate == null) {
			if (limit.burst() != null) {
				throw PropertyChecks.invalid(property + "burst", limit.burst(),
						"It has no effect without a rate. Set 'requests-per-second', too.");
			}
			return null;
		}
		PropertyChecks.check(property + "requests-per-second", rate,
				() -> new UpstreamSettings.RateLimit(key, rate, 1));
		int burst = Objects.requireNonNullElse(limit.burst(), (int) Math.ceil(rate));
		return PropertyChecks.check(property + "burst", burst, () -> new UpstreamSettings.RateLimit(key, rate, burst));
	}

	/**
	 * What gets the requests of upstreams, too.
	 * @param upstreams all upstreams
	 * @param timer ends what takes too long
	 * @param certificates whom a bundle of certificates makes trust, or none does
	 */
	Mirrors mirrors(Upstreams upstreams, DeadlineTimer timer,
			Function<@Nullable String, @Nullable SSLContext> certificates) {
		Map<String, Mirror> mirrors = new LinkedHashMap<>();
		this.properties.upstreams().forEach((name, upstream) -> {
			String property = PREFIX + "upstreams." + name + ".mirror.";
			String other = upstream.mirror().upstream();
			Double share = upstream.mirror().share();
			if (other == null && share == null) {
				return;
			}
			if (share == null || !(share >= 0 && share <= 1)) {
				throw PropertyChecks.invalid(property + "share", share,
						"The share of the requests is a number from 0 to 1.");
			}
			if (other == null || other.equals(name) || !upstreams.contains(other)) {
				throw PropertyChecks.invalid(property + "upstream", other,
						"The mirror is another upstream in 'gateway-bench.upstreams'.");
			}
			Upstream target = upstreams.get(URI.create(Upstreams.SCHEME + "://" + other));
			mirrors.put(name, new Mirror(target, share, timer, () -> certificates.apply(target.connect().sslBundle())));
		});
		return new Mirrors(mirrors);
	}

	private UpstreamSettings.@Nullable Affinity affinity(String name, UpstreamProperties upstream) {
		String property = PREFIX + "upstreams." + name + ".";
		String cookie = upstream.stickyCookie();
		double factor = upstream.hashBalanceFactor();
		Function<InstanceChooser.Request, @Nullable String> key = key(property + "hash-by", upstream.hashBy());
		PropertyChecks.check(property + "hash-balance-factor", factor,
				() -> new UpstreamSettings.Affinity(key, factor, null));
		UpstreamSettings.Affinity affinity = PropertyChecks.check(property + "sticky-cookie", cookie,
				() -> new UpstreamSettings.Affinity(key, factor, cookie));
		this.properties.upstreams().forEach((other, settings) -> {
			if (cookie != null && !other.equals(name) && cookie.equals(settings.stickyCookie())) {
				throw PropertyChecks.invalid(property + "sticky-cookie", cookie,
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
		Matcher matcher = KEY.matcher(hashBy);
		if (!matcher.matches()) {
			throw PropertyChecks.invalid(property, hashBy,
					"Write header:NAME, cookie:NAME, query:NAME or client-address.");
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
	private Supplier<Map<String, Integer>> lookup(String name, UpstreamProperties upstream, String service,
			Supplier<@Nullable DiscoveryClient> discovery) {
		String property = PREFIX + "upstreams." + name + ".service-id";
		PropertyChecks.required(property, service, "The name of a service is not empty.");
		if (!upstream.instances().isEmpty() || upstream.resolve() != UpstreamProperties.Resolve.HOST) {
			throw PropertyChecks.invalid(property, service,
					"The instances come from the service, so leave out 'instances' and 'resolve'.");
		}
		DiscoveryClient client = discovery.get();
		if (client == null) {
			throw PropertyChecks.invalid(property, service,
					"There is no DiscoveryClient that could tell its instances. Add the starter of a registry.");
		}
		boolean all = this.properties.loadBalancing().enabled();
		return () -> client.getInstances(service)
			.stream()
			.map(ConfiguredUpstreams::url)
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
		return PropertyChecks
			.check(PREFIX + "load-balancing.lookup-interval", interval,
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
			throw PropertyChecks.invalid(property, bundle,
					known.isEmpty() ? "There is no such bundle. Add it to 'spring.ssl.bundle', which has none yet."
							: "There is no such bundle. Add it to 'spring.ssl.bundle', or use one of %s."
								.formatted(known.stream().sorted().toList()));
		}
		if (!this.properties.httpClient().tuned()) {
			throw PropertyChecks.invalid(property, bundle,
					"Only the starter's client has bundles for upstreams. Set 'gateway-bench.http-client.tuned' to true.");
		}
		PropertyChecks.check(property, bundle, () -> bundles.getBundle(bundle).createSslContext());
		return bundle;
	}

	/**
	 * An instance that is there twice has twice the weight. Without round robin the first
	 * one takes all requests.
	 */
	Map<Instance, Integer> weights(String name, UpstreamProperties upstream) {
		String property = PREFIX + "upstreams." + name + ".instances";
		if (upstream.instances().isEmpty()) {
			throw PropertyChecks.invalid(property, upstream.instances(),
					"An upstream needs at least one instance, such as http://127.0.0.1:8081, or a 'service-id'.");
		}
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		for (int i = 0; i < upstream.instances().size(); i++) {
			UpstreamProperties.Instance configured = upstream.instances().get(i);
			String element = "%s[%d]".formatted(property, i);
			String url = configured.url();
			Instance instance = PropertyChecks.check(element, Spelling.withoutSecrets(url),
					() -> Instance.parse(Objects.toString(url)));
			int weight = configured.weight();
			if (weights.containsKey(instance)) {
				logger.warn(
						("'%s' has %s more than once, so it gets more requests than others. If that is meant, write it"
								+ " once, with 'url' and 'weight'.")
							.formatted(property, instance.url()));
			}
			if (weight < 1 || weights.merge(instance, weight, Integer::sum) > Upstream.MAX_WEIGHT) {
				throw PropertyChecks.invalid(element + ".weight", weight,
						"The weight of an instance is a number from 1 to %d.".formatted(Upstream.MAX_WEIGHT));
			}
		}
		return this.properties.loadBalancing().enabled() ? weights : Map.of(weights.keySet().iterator().next(), 1);
	}

	private UpstreamTimeouts timeouts(String name, UpstreamProperties.UpstreamTimeouts own) {
		GatewayBenchProperties.Timeouts all = this.properties.timeouts();
		String property = PREFIX + "upstreams." + name + ".timeouts.";
		return new UpstreamTimeouts(timeout(property, "connect", own.connect(), all.connect()),
				timeout(property, "response", own.response(), all.response()),
				timeout(property, "read", own.read(), all.read()));
	}

	private static Duration timeout(String property, String name, @Nullable Duration own, Duration common) {
		return (own != null) ? PropertyChecks.checkTimeout(property + name, own)
				: PropertyChecks.checkTimeout(PREFIX + "timeouts." + name, common);
	}

	private EjectionSettings ejection() {
		GatewayBenchProperties.LoadBalancing.Ejection ejection = this.properties.loadBalancing().ejection();
		String property = PREFIX + "load-balancing.ejection.";
		if (ejection.consecutiveFailures() < 1) {
			throw PropertyChecks.invalid(property + "consecutive-failures", ejection.consecutiveFailures(),
					"The number of failures is 1 or more; 'enabled' switches ejection off.");
		}
		PropertyChecks.check(property + "base-ejection-time", ejection.baseEjectionTime(),
				() -> new EjectionSettings(1, false, ejection.baseEjectionTime(), ejection.baseEjectionTime()));
		EjectionSettings settings = PropertyChecks.check(property + "max-ejection-time", ejection.maxEjectionTime(),
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
		PropertyChecks.check(property + "interval", interval,
				() -> new HealthCheckSettings(Map.of(), interval, interval));
		HealthCheckSettings none = PropertyChecks.check(property + "timeout", common.timeout(),
				() -> new HealthCheckSettings(Map.of(), interval, common.timeout()));
		PropertyChecks.check(property + "path", common.path(), () -> none.with("", common.path()));
		HealthCheckSettings settings = none;
		for (String name : upstreams.names()) {
			UpstreamProperties configured = this.properties.upstreams().get(name);
			Boolean enabled = (configured != null) ? configured.healthCheck().enabled() : null;
			String own = (configured != null) ? configured.healthCheck().path() : null;
			String path = (own != null) ? own : common.path();
			HealthCheckSettings before = settings;
			HealthCheckSettings with = PropertyChecks.check(PREFIX + "upstreams." + name + ".health-check.path", path,
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

	ConnectionSettings connections() {
		GatewayBenchProperties.HttpClient client = this.properties.httpClient();
		String property = PREFIX + "http-client.";
		String reason = "At least one connection is needed.";
		PropertyChecks.positive(property + "max-connections-per-instance", client.maxConnectionsPerInstance(), reason);
		PropertyChecks.positive(property + "max-connections", client.maxConnections(), reason);
		atLeastOneMillisecond(property + "acquire-timeout", client.acquireTimeout());
		atLeastOneMillisecond(property + "max-idle-time", client.maxIdleTime());
		atLeastOneMillisecond(property + "max-connection-age", client.maxConnectionAge());
		return new ConnectionSettings(client.maxConnectionsPerInstance(), client.maxConnections(),
				client.acquireTimeout(), client.maxIdleTime(), client.maxConnectionAge());
	}

	private static void atLeastOneMillisecond(String property, Duration value) {
		if (value.toMillis() < 1) {
			throw PropertyChecks.invalid(property, value, "The time is 1ms or more.");
		}
	}

}
