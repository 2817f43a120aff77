package io.gatewaybench.upstream;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.gatewaybench.internal.LastingTask;
import io.gatewaybench.internal.Spelling;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the instances of upstreams at intervals, in threads of its own, so that no
 * request waits for a registry or for DNS. A lookup that fails or finds nothing changes
 * nothing: the upstream keeps the instances that it has.
 */
final class InstanceDiscovery {

	static final String THREAD_NAME = "gateway-bench-discovery";

	private static final Log logger = LogFactory.getLog(InstanceDiscovery.class);

	/**
	 * So many lookups may hang before others wait for them.
	 */
	private static final int MAX_THREADS = 8;

	private static final int START_MILLIS = 5000;

	private final ScheduledThreadPoolExecutor executor;

	private InstanceDiscovery(int threads) {
		this.executor = new ScheduledThreadPoolExecutor(threads, (task) -> {
			Thread thread = new Thread(task, THREAD_NAME);
			thread.setDaemon(true);
			return thread;
		});
	}

	/**
	 * Begin with a lookup for each upstream that has one, and wait for those.
	 * @param interval milliseconds between two lookups of an upstream
	 * @return what ends the lookups, {@code null} if there are none
	 */
	static @Nullable Runnable start(Upstreams upstreams, long interval) {
		List<Lookup> lookups = new ArrayList<>();
		for (Upstream upstream : upstreams.all()) {
			Supplier<Map<String, Integer>> urls = upstream.lookup();
			if (urls != null) {
				lookups.add(new Lookup(upstream, urls));
			}
		}
		if (lookups.isEmpty()) {
			return null;
		}
		InstanceDiscovery discovery = new InstanceDiscovery(Math.min(lookups.size(), MAX_THREADS));
		discovery.start(lookups, interval);
		return discovery.executor::shutdownNow;
	}

	/**
	 * The next lookup of an upstream begins after the first one, which may hang for
	 * longer than the start waits.
	 */
	private void start(List<Lookup> lookups, long interval) {
		CompletableFuture<?>[] first = lookups.stream()
			.map((lookup) -> CompletableFuture.runAsync(lookup, this.executor)
				.whenComplete((none, failure) -> this.executor.scheduleWithFixedDelay(
						new LastingTask("A lookup of instances", lookup), interval, interval, TimeUnit.MILLISECONDS)))
			.toArray(CompletableFuture[]::new);
		try {
			CompletableFuture.allOf(first).get(START_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("Not all instances could be looked up before the first request: " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * The URLs of all addresses of hosts, each with the weight of its host.
	 */
	static Map<String, Integer> resolve(Map<Instance, Integer> hosts) {
		Map<String, Integer> resolved = new LinkedHashMap<>();
		hosts.forEach((instance, weight) -> {
			URI uri = URI.create(instance.url());
			String port = (uri.getPort() >= 0) ? ":" + uri.getPort() : "";
			try {
				for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
					String text = address.getHostAddress();
					String host = (address instanceof Inet6Address) ? "[" + text + "]" : text;
					resolved.put(instance.scheme() + "://" + host + port, weight);
				}
			}
			catch (UnknownHostException ex) {
				throw new IllegalStateException("DNS has no address of '%s'".formatted(uri.getHost()), ex);
			}
		});
		return resolved;
	}

	/**
	 * The instances of one upstream. Runs in one thread at a time.
	 */
	private static final class Lookup implements Runnable {

		private final Upstream upstream;

		private final Supplier<Map<String, Integer>> urls;

		private Map<Instance, Integer> known = Map.of();

		private @Nullable String problem;

		Lookup(Upstream upstream, Supplier<Map<String, Integer>> urls) {
			this.upstream = upstream;
			this.urls = urls;
		}

		@Override
		public void run() {
			Map<Instance, Integer> before = this.known;
			String problemBefore = this.problem;
			this.problem = null;
			try {
				update();
			}
			catch (RuntimeException ex) {
				// A registry may tell its URL, which may have a password
				this.problem = Spelling.withoutSecrets(Objects.toString(ex.getMessage(), ex.toString()));
			}
			if (this.problem != null && (before != this.known || !this.problem.equals(problemBefore))) {
				logger.warn("Looking up the instances of upstream '%s' has a problem: %s. It goes on with %s"
					.formatted(this.upstream.name(), this.problem, urls()));
			}
		}

		private void update() {
			Map<Instance, Integer> found = new LinkedHashMap<>();
			this.urls.get().forEach((url, weight) -> add(found, url, weight));
			if (found.isEmpty()) {
				this.problem = Objects.requireNonNullElse(this.problem, "none is known");
			}
			else if (!found.equals(this.known)) {
				this.upstream.replace(found);
				this.known = Map.copyOf(found);
				logger.info("Upstream '%s' has these instances now: %s".formatted(this.upstream.name(), urls()));
			}
		}

		/**
		 * One that is registered wrongly must not keep the others out.
		 */
		private void add(Map<Instance, Integer> found, String url, int weight) {
			try {
				found.put(Instance.parse(url), weight);
			}
			catch (IllegalArgumentException ex) {
				this.problem = "an instance has a URL that cannot be used, as " + ex.getMessage();
			}
		}

		private List<String> urls() {
			return this.known.keySet().stream().map(Instance::url).sorted().toList();
		}

	}

}
