package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import javax.net.ssl.SSLContext;

import io.gatewaybench.internal.LastingTask;
import io.gatewaybench.internal.upstream.HealthCheckSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks every instance at intervals whether it is healthy, as a status from 200 to 299
 * says. An instance that is not is taken out of the rotation, and one that is again comes
 * back. One failure is enough, and so is one success, as in NGINX Plus.
 *
 * <p>
 * The first checks go out together, so that an instance which is down is known before the
 * first request; the second ones after a random part of the interval, so that they are
 * spread from then on. One thread decides, others wait for names and connections. There
 * is one check of an instance at a time. Instances that come or go by
 * {@link Upstream#replace} are noticed.
 *
 * @since 0.1.0
 */
public final class HealthChecks implements AutoCloseable {

	static final String THREAD_NAME = "gateway-bench-health-checks";

	private static final Log logger = LogFactory.getLog(HealthChecks.class);

	private static final int TICK_MILLIS = 50;

	private static final int MAX_RUNNING = 100;

	private static final int CLOSE_TIMEOUT_MILLIS = 1000;

	private final Upstreams upstreams;

	private final HealthCheckSettings settings;

	private final GatewayMetrics metrics;

	private final ScheduledThreadPoolExecutor executor;

	private final HealthProbe probe;

	private final Map<InstanceState, Check> checks = new HashMap<>();

	private volatile boolean closed;

	private HealthChecks(Upstreams upstreams, HealthCheckSettings settings, GatewayMetrics metrics,
			Function<@Nullable String, @Nullable SSLContext> certificates) {
		this.upstreams = upstreams;
		this.settings = settings;
		this.metrics = metrics;
		this.executor = new ScheduledThreadPoolExecutor(1, HealthChecks::thread);
		this.executor.setRemoveOnCancelPolicy(true);
		this.probe = new HealthProbe(this.executor, settings, certificates);
	}

	static Thread thread(Runnable task) {
		Thread thread = new Thread(task, THREAD_NAME);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Begin with a check of every instance, and wait for the answers.
	 * @param upstreams the upstreams
	 * @param settings which of them to check, and how
	 * @param metrics what counts ejections and recoveries
	 * @param certificates tells the certificates for {@code https}, by the name of their
	 * bundle or {@code null}; gives {@code null} for what is usual in this JVM
	 * @return the checks, to be closed
	 */
	public static HealthChecks start(Upstreams upstreams, HealthCheckSettings settings, GatewayMetrics metrics,
			Function<@Nullable String, @Nullable SSLContext> certificates) {
		HealthChecks checks = new HealthChecks(upstreams, settings, metrics, certificates);
		checks.start();
		return checks;
	}

	private void start() {
		CompletableFuture<Void> answers = CompletableFuture.supplyAsync(this::tick, this.executor)
			.thenCompose((started) -> CompletableFuture.allOf(started.toArray(CompletableFuture[]::new)));
		try {
			// A check ends at its timeout, but to look up the name of a host takes its
			// time
			answers.get(2 * this.settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("Instances could not be checked before the first request: " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		// No instance comes back when there are no ticks any more
		this.executor.scheduleWithFixedDelay(new LastingTask("A health check", this::tick), TICK_MILLIS, TICK_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	/**
	 * Start the checks that are due. So many instances may be silent that not all can be
	 * asked within an interval; then those wait that were asked last.
	 * @return what is completed when they have had their effect
	 */
	private List<CompletableFuture<?>> tick() {
		List<CompletableFuture<?>> started = new ArrayList<>();
		Set<InstanceState> present = new HashSet<>();
		List<Check> due = new ArrayList<>();
		for (Upstream upstream : this.upstreams.all()) {
			String path = this.settings.paths().get(upstream.name());
			if (path != null) {
				for (InstanceState state : upstream.instances()) {
					present.add(state);
					Check check = this.checks.computeIfAbsent(state, (key) -> new Check(upstream, key));
					if (check.isDue()) {
						due.add(check);
					}
				}
			}
		}
		this.checks.keySet().retainAll(present);
		long now = System.nanoTime();
		due.sort(Comparator.comparingLong((Check check) -> check.due - now));
		for (Check check : due) {
			if (!isFree()) {
				break;
			}
			String path = Objects.requireNonNull(this.settings.paths().get(check.upstream.name()));
			started.add(check.begin(ask(check.upstream, check.state, path), this.settings.interval().toNanos()));
		}
		return started;
	}

	private boolean isFree() {
		return !this.closed && this.probe.running() < MAX_RUNNING;
	}

	private CompletableFuture<?> ask(Upstream upstream, InstanceState state, String path) {
		return this.probe.ask(state.instance(), path, upstream.connect().sslBundle())
			.thenAccept((failure) -> apply(upstream, state, failure));
	}

	private void apply(Upstream upstream, InstanceState state, @Nullable String failure) {
		if (this.closed || !upstream.instances().contains(state)) {
			return;
		}
		if (failure != null) {
			unhealthy(upstream, state, failure);
		}
		else if (upstream.ejection().healthy(state)) {
			count(upstream, state, UpstreamEvent.RECOVERY);
			// Another one may have stayed only because it was the last
			for (InstanceState other : upstream.instances()) {
				String known = other.checkFailure();
				if (known != null) {
					unhealthy(upstream, other, known);
				}
			}
		}
	}

	private void unhealthy(Upstream upstream, InstanceState state, String failure) {
		if (upstream.ejection().unhealthy(state, failure)) {
			count(upstream, state, UpstreamEvent.EJECTION);
		}
	}

	private void count(Upstream upstream, InstanceState state, UpstreamEvent event) {
		this.metrics.upstream(upstream.name(), state.instance().authority(), event);
	}

	@Override
	public void close() {
		this.closed = true;
		this.probe.close();
		this.executor.shutdownNow();
		try {
			if (!this.executor.awaitTermination(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
				logger.warn("The health checks have not ended within " + CLOSE_TIMEOUT_MILLIS + " ms");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * When an instance is to be asked next. Used by the one thread.
	 */
	private static final class Check {

		private final Upstream upstream;

		private final InstanceState state;

		private @Nullable CompletableFuture<?> last;

		private long due = System.nanoTime();

		Check(Upstream upstream, InstanceState state) {
			this.upstream = upstream;
			this.state = state;
		}

		boolean isDue() {
			return this.last == null || (this.last.isDone() && System.nanoTime() - this.due >= 0);
		}

		CompletableFuture<?> begin(CompletableFuture<?> check, long interval) {
			this.due = System.nanoTime()
					+ ((this.last != null) ? interval : ThreadLocalRandom.current().nextLong(interval));
			this.last = check;
			return check;
		}

	}

}
