package io.gatewaybench.upstream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.gatewaybench.internal.upstream.ConnectSettings;
import io.gatewaybench.internal.upstream.InFlightLimit;
import io.gatewaybench.internal.upstream.RateLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A service behind the gateway and the instances that share its load, as its
 * {@link LoadBalancingPolicy} or an {@link InstanceChooser} says, except those that are
 * ejected. Safe for use by many threads; choosing an instance neither locks nor
 * allocates.
 *
 * @since 0.1.0
 */
public final class Upstream {

	/**
	 * Largest weight of an instance.
	 */
	public static final int MAX_WEIGHT = 100;

	private final String name;

	private final @Nullable Supplier<Map<String, Integer>> lookup;

	private final UpstreamSettings settings;

	private final ConnectSettings connect;

	private final Ejection ejection;

	private final @Nullable InstanceChooser chooser;

	private final UpstreamSettings.@Nullable Affinity affinity;

	private final @Nullable InFlightLimit limit;

	private final @Nullable RateLimit rateLimit;

	private final LongSupplier clock;

	private final AtomicLong turn;

	private final AtomicReference<Rotation> rotation;

	private final RetryBudget budget;

	/**
	 * Create an upstream.
	 * @param name name of the upstream, as in {@code rr://name}
	 * @param weights its instances, at least one, and their weights, from 1 to
	 * {@value #MAX_WEIGHT}
	 * @param settings how requests are sent to it
	 */
	public Upstream(String name, Map<Instance, Integer> weights, UpstreamSettings settings) {
		this(name, weights, settings, System::nanoTime, new AtomicLong());
	}

	/**
	 * Create an upstream whose instances come and go. Until one is there, requests fail
	 * with {@link UpstreamFailure#NO_INSTANCE}.
	 * @param name name of the upstream, as in {@code rr://name}
	 * @param lookup asks for the URLs of the instances and their weights. It may block,
	 * and throw any runtime exception.
	 * @param settings how requests are sent to it
	 * @see Upstreams#discover
	 */
	public Upstream(String name, Supplier<Map<String, Integer>> lookup, UpstreamSettings settings) {
		this(name, Rotation.of(Map.of()), lookup, settings, System::nanoTime, new AtomicLong());
	}

	Upstream(String name, Map<Instance, Integer> weights, UpstreamSettings settings, LongSupplier clock,
			AtomicLong turn) {
		this(name, Rotation.of(checked(name, weights)), null, settings, clock, turn);
	}

	private Upstream(String name, Rotation rotation, @Nullable Supplier<Map<String, Integer>> lookup,
			UpstreamSettings settings, LongSupplier clock, AtomicLong turn) {
		this.name = name;
		this.lookup = lookup;
		this.settings = settings;
		this.connect = new ConnectSettings(settings.timeouts().connect(), settings.sslBundle(), settings.http2());
		this.chooser = settings.chooser();
		this.affinity = settings.affinity();
		this.limit = limit(settings.limit());
		this.rateLimit = rateLimit(settings.rateLimit());
		this.clock = clock;
		this.turn = turn;
		this.rotation = new AtomicReference<>(rotation);
		this.ejection = new Ejection(name, this.rotation, settings.ejection(), clock);
		this.budget = new RetryBudget(clock.getAsLong(), turn.get());
	}

	private static @Nullable InFlightLimit limit(UpstreamSettings.@Nullable Limit limit) {
		return (limit != null) ? new InFlightLimit(limit.maxInFlight(), limit.maxQueueTime()) : null;
	}

	private static @Nullable RateLimit rateLimit(UpstreamSettings.@Nullable RateLimit limit) {
		return (limit != null) ? new RateLimit(limit.requestsPerSecond(), limit.burst()) : null;
	}

	private static Map<Instance, Integer> checked(String name, Map<Instance, Integer> weights) {
		Assert.notEmpty(weights, () -> "Upstream '%s' must have at least one instance".formatted(name));
		weights.forEach((instance, weight) -> Assert.isTrue(weight >= 1 && weight <= MAX_WEIGHT,
				() -> "the weight of an instance is a number from 1 to " + MAX_WEIGHT));
		return weights;
	}

	/**
	 * Create an upstream whose instances are all addresses of some hosts, as DNS tells
	 * them.
	 * @param name name of the upstream
	 * @param hosts the hosts, with scheme and port, and the weight of each of their
	 * addresses
	 * @param settings how requests are sent to it
	 * @return the upstream
	 */
	public static Upstream ofAddresses(String name, Map<Instance, Integer> hosts, UpstreamSettings settings) {
		return new Upstream(name, () -> InstanceDiscovery.resolve(hosts), settings);
	}

	/**
	 * Spread requests evenly, with neither timeouts nor ejection.
	 * @param name name of the upstream
	 * @param instances its instances, at least one
	 * @return the upstream
	 */
	public static Upstream roundRobin(String name, List<Instance> instances) {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		instances.forEach((instance) -> weights.merge(instance, 1, Integer::sum));
		return new Upstream(name, weights, UpstreamSettings.NONE);
	}

	/**
	 * Name under which routes refer to it.
	 * @return the name, as in {@code rr://name}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * How long to wait for an instance.
	 * @return the timeouts
	 */
	public UpstreamTimeouts timeouts() {
		return this.settings.timeouts();
	}

	/**
	 * What limits its requests.
	 * @return the limit, {@code null} if there may be any number
	 */
	public @Nullable InFlightLimit limit() {
		return this.limit;
	}

	/**
	 * What limits the requests of each client.
	 * @return the limit, {@code null} if a client may send any number
	 */
	public @Nullable RateLimit rateLimit() {
		return this.rateLimit;
	}

	/**
	 * Count a request against what its client may send.
	 * @param request the request, as the filters of its route left it
	 * @return 0 if it may pass, else the number of seconds after which it might
	 */
	public long admit(InstanceChooser.Request request) {
		UpstreamSettings.RateLimit limited = this.settings.rateLimit();
		return (this.rateLimit != null && limited != null) ? this.rateLimit.admit(limited.clientOf(request)) : 0;
	}

	/**
	 * What a client has to be like.
	 * @return the settings of its connections
	 */
	public ConnectSettings connect() {
		return this.connect;
	}

	/**
	 * Change the instances. Requests on their way are not touched, and instances that
	 * stay keep what is known of them.
	 * @param weights the instances from now on, at least one, and their weights
	 */
	public void replace(Map<Instance, Integer> weights) {
		checked(this.name, weights);
		this.rotation.updateAndGet((rotation) -> rotation.replace(weights));
	}

	/**
	 * What tells the instances, if they come and go.
	 */
	@Nullable Supplier<Map<String, Integer>> lookup() {
		return this.lookup;
	}

	/**
	 * Whether the instances come and go.
	 * @return {@code false} if they are those that were given, until they are replaced
	 */
	public boolean isDiscovered() {
		return this.lookup != null;
	}

	/**
	 * Choose an instance for a request.
	 * @throws UpstreamException if no instance was found yet
	 */
	InstanceState next(InstanceChooser.Request request) {
		Rotation current = this.rotation.get();
		if (current.isEmpty()) {
			throw new UpstreamException(UpstreamFailure.NO_INSTANCE, null);
		}
		return choose(current, request, this.turn.getAndIncrement());
	}

	private InstanceState choose(Rotation rotation, InstanceChooser.Request request, long requests) {
		String key = (this.affinity != null) ? this.affinity.keyOf(request) : null;
		if (this.affinity != null && key != null) {
			return ConsistentHash.choose(rotation.active(), key, this.affinity.balanceFactor());
		}
		return (this.chooser != null) ? rotation.choose(this.chooser, request) : rotation.at(requests);
	}

	/**
	 * The instance that the client's cookie names, if it takes requests.
	 */
	@Nullable InstanceState remembered(InstanceChooser.Request request) {
		String cookie = (this.affinity != null) ? this.affinity.cookieOf(request) : null;
		if (cookie != null) {
			for (InstanceState state : this.rotation.get().active()) {
				if (cookie.equals(state.token())) {
					this.turn.getAndIncrement();
					return state;
				}
			}
		}
		return null;
	}

	/**
	 * What the client has to send with its next request, so that it goes to the instance
	 * that has answered this one.
	 * @return a cookie, {@code null} if the client has it, or needs none
	 */
	@Nullable String cookie(InstanceState state, InstanceChooser.Request request) {
		return (this.affinity != null) ? this.affinity.cookie(state, request) : null;
	}

	/**
	 * Whether something chooses by the request. If not, nobody need tell of it.
	 * @return {@code false} if any request will do
	 */
	public boolean looksAtRequests() {
		return this.affinity != null || (this.chooser != null && !(this.chooser instanceof LeastRequests));
	}

	/**
	 * Whether something chooses by the number of requests that are not answered yet.
	 */
	boolean countsRequests() {
		return this.chooser != null || this.affinity != null;
	}

	/**
	 * Choose another instance for a request that failed.
	 */
	@Nullable InstanceState except(List<InstanceState> tried, boolean ejected, InstanceChooser.Request request) {
		Rotation current = this.rotation.get();
		if (countsRequests()) {
			Rotation untried = current.untried(tried);
			if (!untried.isEmpty()) {
				return choose(untried, request, this.turn.get());
			}
		}
		return current.except(tried, this.turn.get(), ejected);
	}

	/**
	 * Whether one more request may be sent a second time.
	 */
	boolean withdrawRetry() {
		return this.budget.withdraw(this.clock.getAsLong(), this.turn.get());
	}

	/**
	 * All instances, those that are ejected included.
	 */
	List<InstanceState> instances() {
		return this.rotation.get().instances();
	}

	/**
	 * How many requests there are together when the instance with the largest weight has
	 * so many.
	 * @param largest how many that has
	 * @return how many all instances have that take requests
	 */
	public long share(int largest) {
		return this.rotation.get().share(largest);
	}

	/**
	 * What is known of all instances, those that are ejected included.
	 * @return the status of each
	 */
	public List<InstanceStatus> status() {
		return this.rotation.get().status();
	}

	/**
	 * Whether every instance fails, so that the last one takes requests for want of
	 * another.
	 * @return whether the instances that take requests fail as well
	 */
	public boolean isFailing() {
		int threshold = this.settings.ejection().consecutiveFailures();
		return status().stream()
			.filter((status) -> status.state() == InstanceStatus.State.IN_ROTATION)
			.allMatch((status) -> status.checkFailure() != null || (threshold > 0 && status.failures() >= threshold));
	}

	/**
	 * Take an instance out of the rotation until it is put back. Requests on their way
	 * are not touched.
	 * @param instance the instance
	 * @return {@code false} if there is none, or no other one that takes requests
	 */
	public boolean takeOutOfService(Instance instance) {
		return this.ejection.takeOutOfService(instance);
	}

	/**
	 * Put an instance back that was taken out of service. One whose health check fails
	 * stays out until it succeeds.
	 * @param instance the instance
	 */
	public void putInService(Instance instance) {
		this.ejection.putInService(instance);
	}

	/**
	 * What takes instances out of the rotation and puts them back.
	 */
	Ejection ejection() {
		return this.ejection;
	}

	@Override
	public String toString() {
		return Upstreams.SCHEME + "://" + this.name;
	}

}
