package io.gatewaybench.upstream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * An instance, its weight, its requests, and its failures and trials. Only the
 * {@link Rotation} knows whether it takes requests.
 */
final class InstanceState implements InstanceChooser.Candidate {

	private final Instance instance;

	private final long hash;

	private final String token;

	private volatile int weight;

	private final AtomicInteger requests = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger trials = new AtomicInteger();

	private final AtomicLong nextTrial = new AtomicLong();

	private volatile @Nullable String checkFailure;

	private volatile boolean outOfService;

	InstanceState(Instance instance, int weight) {
		this.instance = instance;
		this.hash = ConsistentHash.hash(instance.url());
		this.token = Long.toHexString(this.hash);
		this.weight = weight;
	}

	@Override
	public Instance instance() {
		return this.instance;
	}

	/**
	 * Tells it from other instances, the same in all JVMs.
	 */
	long hash() {
		return this.hash;
	}

	/**
	 * Names it to clients, without its address.
	 */
	String token() {
		return this.token;
	}

	@Override
	public int weight() {
		return this.weight;
	}

	InstanceState weight(int weight) {
		this.weight = weight;
		return this;
	}

	@Override
	public int requests() {
		return this.requests.get();
	}

	void requested() {
		this.requests.incrementAndGet();
	}

	void answered() {
		this.requests.decrementAndGet();
	}

	/**
	 * Count a failure in a row.
	 */
	int fail() {
		return this.failures.incrementAndGet();
	}

	/**
	 * A response came whole. Read first, because as a rule there is nothing to forget and
	 * a write would be seen by every thread.
	 */
	void succeed() {
		if (this.failures.get() != 0) {
			this.failures.set(0);
		}
		if (this.trials.get() != 0) {
			this.trials.set(0);
		}
	}

	/**
	 * Another failure is one too many, until a response has come whole.
	 */
	void probation(int threshold) {
		this.failures.set(Math.max(0, threshold - 1));
	}

	/**
	 * Set the time of the next trial.
	 */
	void eject(long now, EjectionSettings settings) {
		this.nextTrial.set(now + settings.ejectionNanos(this.trials.get()));
	}

	/**
	 * Take the trial, if it is time for one. The thread that gets it sets the next one to
	 * twice as long at once. So a trial that hangs does not block the next one, few
	 * trials run at a time, and none counts twice.
	 * @param repeatable whether the request can go to another instance if this one fails
	 * it; others wait for as long again
	 */
	boolean takeTrial(long now, boolean repeatable, EjectionSettings settings) {
		long due = this.nextTrial.get();
		int before = this.trials.get();
		long grace = repeatable ? 0 : settings.ejectionNanos(before);
		int count = Math.min(before + 1, Long.SIZE);
		if (now - due < grace || !this.nextTrial.compareAndSet(due, now + settings.ejectionNanos(count))) {
			return false;
		}
		this.trials.set(count);
		return true;
	}

	/**
	 * How the last health check failed, if it did. Then there are no trials, as requests
	 * would be risked for what the next check tells for nothing.
	 */
	@Nullable String checkFailure() {
		return this.checkFailure;
	}

	void checked(@Nullable String failure) {
		this.checkFailure = failure;
	}

	/**
	 * Whether something else than failed requests keeps it out, which no trial can end.
	 */
	boolean isKeptOut() {
		return this.outOfService || this.checkFailure != null;
	}

	boolean isOutOfService() {
		return this.outOfService;
	}

	void outOfService(boolean outOfService) {
		this.outOfService = outOfService;
	}

	InstanceStatus status(boolean ejected) {
		String checkFailure = this.checkFailure;
		InstanceStatus.State out = (checkFailure != null) ? InstanceStatus.State.UNHEALTHY
				: InstanceStatus.State.EJECTED;
		return new InstanceStatus(this.instance.url(), this.weight,
				!ejected ? InstanceStatus.State.IN_ROTATION
						: this.outOfService ? InstanceStatus.State.OUT_OF_SERVICE : out,
				this.requests.get(), this.failures.get(), checkFailure);
	}

}
