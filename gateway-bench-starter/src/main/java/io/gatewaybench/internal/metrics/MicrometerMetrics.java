package io.gatewaybench.internal.metrics;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.Outcome;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Counts with meters of Micrometer, the {@code gateway.bench.*} ones. Meters are looked
 * up by their tags once and then held here, for at most 10,000 routes, 10,000 upstreams
 * and their instances, and 10,000 outcomes of rewrites; further ones share the tag value
 * {@code _other}. This is the only type of the package that needs Micrometer's meters on
 * the class path.
 */
public final class MicrometerMetrics implements GatewayMetrics {

	static final int MAX_NAMES = 10_000;

	private static final Outcome[] OUTCOMES = Outcome.values();

	private final MeterRegistry registry;

	private final String flavour;

	private final BoundedCache<RouteTimers> routes;

	private final BoundedCache<BoundedCache<OutcomeCounters>> upstreams;

	private final BoundedCache<Counter> rewrites;

	private MicrometerMetrics(MeterRegistry registry, Flavour flavour) {
		this.registry = registry;
		this.flavour = flavour.label();
		this.routes = new BoundedCache<>("routes", new Semaphore(MAX_NAMES), RouteTimers::new);
		Semaphore upstreamRoom = new Semaphore(MAX_NAMES);
		this.upstreams = new BoundedCache<>("upstreams", upstreamRoom,
				(upstream) -> new BoundedCache<>("instances of upstream '" + upstream + "'", upstreamRoom,
						(instance) -> new OutcomeCounters(upstream, instance)));
		this.rewrites = new BoundedCache<>("outcomes of rewrites", new Semaphore(MAX_NAMES),
				(outcome) -> counter(GatewayMeter.REWRITES, outcome, this.flavour));
	}

	/**
	 * Returns metrics that count with the meters of a registry. Closing them leaves the
	 * registry and its meters as they are.
	 * @param registry the registry
	 * @param flavour flavour of the gateway, for the tag of that name
	 * @return the metrics
	 */
	public static GatewayMetrics create(MeterRegistry registry, Flavour flavour) {
		return new MicrometerMetrics(registry, flavour);
	}

	@Override
	public void request(String route, int status, boolean completed, long durationNanos) {
		this.routes.get(route).timer(status, completed).record(durationNanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public void upstream(String upstream, String instance, int status) {
		this.upstreams.get(upstream).get(instance).counter(Outcome.of(status, true)).increment();
	}

	@Override
	public void upstream(String upstream, String instance, UpstreamEvent event) {
		this.upstreams.get(upstream).get(instance).count(event);
	}

	/**
	 * Too rare to hold the counter, and there are few codes.
	 */
	@Override
	public void webSocket(String upstream, int code) {
		counter(GatewayMeter.WEB_SOCKETS_CLOSED, upstream, closeCode(code), this.flavour).increment();
	}

	private static String closeCode(int code) {
		if (code >= 1000 && code <= 1015) {
			return Integer.toString(code);
		}
		return (code >= 3000 && code < 5000) ? code / 1000 + "xxx" : "other";
	}

	@Override
	public void rewrite(String outcome) {
		this.rewrites.get(outcome).increment();
	}

	@Override
	public Map<String, Long> rewrites() {
		Map<String, Long> counts = new TreeMap<>();
		this.rewrites.forEach((outcome, counter) -> counts.put(outcome, (long) counter.count()));
		return counts;
	}

	private Timer timer(GatewayMeter meter, String... tagValues) {
		return Timer.builder(meter.meterName())
			.description(meter.description())
			.tags(meter.tags(tagValues))
			.register(this.registry);
	}

	private Counter counter(GatewayMeter meter, String... tagValues) {
		return Counter.builder(meter.meterName())
			.description(meter.description())
			.tags(meter.tags(tagValues))
			.register(this.registry);
	}

	/**
	 * The timers of a route. A route answers with a handful of status codes, so a scan of
	 * an array that is copied when one is added beats a map, and needs no boxed keys.
	 */
	private final class RouteTimers {

		private final String route;

		private volatile StatusTimer[] known = {};

		RouteTimers(String route) {
			this.route = route;
		}

		Timer timer(int status, boolean completed) {
			int code = (status < 100 || status > 999) ? 0 : status;
			int key = completed ? code : -code;
			for (StatusTimer candidate : this.known) {
				if (candidate.key == key) {
					return candidate.timer;
				}
			}
			return add(key);
		}

		private synchronized Timer add(int key) {
			StatusTimer[] current = this.known;
			for (StatusTimer candidate : current) {
				if (candidate.key == key) {
					return candidate.timer;
				}
			}
			int status = Math.abs(key);
			Timer timer = MicrometerMetrics.this.timer(GatewayMeter.REQUESTS, this.route,
					MicrometerMetrics.this.flavour, Outcome.of(status, key > 0).name(),
					(status != 0) ? Integer.toString(status) : "none");
			StatusTimer[] extended = Arrays.copyOf(current, current.length + 1);
			extended[current.length] = new StatusTimer(key, timer);
			this.known = extended;
			return timer;
		}

	}

	/**
	 * A timer of a route.
	 *
	 * @param key the status code, negative for aborted requests, 0 for those without a
	 * response
	 * @param timer the timer
	 */
	private record StatusTimer(int key, Timer timer) {

	}

	/**
	 * The counters of an instance, one per outcome, each registered when it first counts.
	 */
	private final class OutcomeCounters {

		private final String upstream;

		private final String instance;

		private final AtomicReferenceArray<Counter> counters = new AtomicReferenceArray<>(OUTCOMES.length);

		OutcomeCounters(String upstream, String instance) {
			this.upstream = upstream;
			this.instance = instance;
		}

		Counter counter(Outcome outcome) {
			Counter counter = this.counters.get(outcome.ordinal());
			return (counter != null) ? counter : add(outcome);
		}

		/**
		 * Too rare to hold the counter.
		 */
		void count(UpstreamEvent event) {
			MicrometerMetrics.this
				.counter(GatewayMeter.of(event), this.upstream, this.instance, MicrometerMetrics.this.flavour)
				.increment();
		}

		private Counter add(Outcome outcome) {
			// The registry returns the same counter to all threads that race for it
			Counter counter = MicrometerMetrics.this.counter(GatewayMeter.UPSTREAM_REQUESTS, this.upstream,
					this.instance, outcome.name(), MicrometerMetrics.this.flavour);
			this.counters.set(outcome.ordinal(), counter);
			return counter;
		}

	}

}
