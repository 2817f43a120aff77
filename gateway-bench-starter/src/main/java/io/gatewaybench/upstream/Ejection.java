package io.gatewaybench.upstream;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Takes instances of an upstream out of its rotation and puts them back, as requests
 * fail, health checks say, or an operator wants.
 */
final class Ejection {

	private static final Log logger = LogFactory.getLog(Ejection.class);

	private final String name;

	private final AtomicReference<Rotation> rotation;

	private final EjectionSettings settings;

	private final LongSupplier clock;

	Ejection(String name, AtomicReference<Rotation> rotation, EjectionSettings settings, LongSupplier clock) {
		this.name = name;
		this.rotation = rotation;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Choose an ejected instance that it is time to try, if there is one.
	 */
	@Nullable InstanceState trial(boolean repeatable) {
		Rotation current = this.rotation.get();
		if (current.isWhole()) {
			return null;
		}
		long now = this.clock.getAsLong();
		for (InstanceState state : current.ejected()) {
			if (!state.isKeptOut() && state.takeTrial(now, repeatable, this.settings)) {
				return state;
			}
		}
		return null;
	}

	/**
	 * Whether a status is a failure of the instance.
	 */
	boolean isFailure(int status) {
		return status >= 500 && this.settings.include5xx();
	}

	/**
	 * An attempt failed.
	 * @return whether that ejected the instance
	 */
	boolean failed(InstanceState state) {
		int threshold = this.settings.consecutiveFailures();
		if (threshold == 0 || state.fail() < threshold || !eject(state)) {
			return false;
		}
		logger.warn("Upstream '%s' ejected instance %s (limit of consecutive failures: %d)".formatted(this.name,
				state.instance().authority(), threshold));
		return true;
	}

	private boolean eject(InstanceState state) {
		Rotation before;
		Rotation after;
		do {
			before = this.rotation.get();
			after = before.eject(state);
			if (after == before) {
				return false;
			}
			// Others see it ejected from the swap on, and may then ask for a trial
			state.eject(this.clock.getAsLong(), this.settings);
		}
		while (!this.rotation.compareAndSet(before, after));
		return true;
	}

	/**
	 * A trial was answered, or a health check after one that failed.
	 * @return whether the instance is in the rotation again because of it
	 */
	boolean recovered(InstanceState state) {
		// One that takes requests must not be on probation for a call that changes
		// nothing
		if (state.isKeptOut() || !this.rotation.get().ejected().contains(state)) {
			return false;
		}
		state.probation(this.settings.consecutiveFailures());
		Rotation before = this.rotation.getAndUpdate((rotation) -> rotation.recover(state));
		if (!before.ejected().contains(state)) {
			return false;
		}
		// An operator or a check may have come in between
		if (state.isKeptOut() && eject(state)) {
			return false;
		}
		logger.info(
				"Upstream '%s' sends requests to instance %s again".formatted(this.name, state.instance().authority()));
		return true;
	}

	/**
	 * Until an operator puts it back.
	 * @return {@code false} if there is no such instance, or no other one that takes
	 * requests
	 */
	boolean takeOutOfService(Instance instance) {
		InstanceState state = this.rotation.get().find(instance);
		if (state == null) {
			return false;
		}
		state.outOfService(true);
		if (!eject(state) && !this.rotation.get().ejected().contains(state)) {
			state.outOfService(false);
			return false;
		}
		logger.info("An operator took instance %2$s of upstream '%1$s' out of service".formatted(this.name,
				instance.authority()));
		return true;
	}

	/**
	 * One whose health check fails stays out.
	 */
	void putInService(Instance instance) {
		InstanceState state = this.rotation.get().find(instance);
		if (state != null) {
			state.outOfService(false);
			recovered(state);
		}
	}

	/**
	 * A health check failed.
	 * @return whether that ejected the instance
	 */
	boolean unhealthy(InstanceState state, String failure) {
		boolean news = state.checkFailure() == null;
		state.checked(failure);
		boolean ejected = eject(state);
		if (ejected || news) {
			String text = this.rotation.get().ejected().contains(state)
					? "Upstream '%s' ejected instance %s, as its health check fails: %s"
					: "Upstream '%s' keeps instance %s though its health check fails, as it is the last one: %s";
			logger.warn(text.formatted(this.name, state.instance().authority(), failure));
		}
		return ejected;
	}

	/**
	 * A health check succeeded. An instance whose check did not fail before, but requests
	 * did, is left to its trial: that it is healthy was no news to it then either.
	 * @return whether the instance is in the rotation again because of it
	 */
	boolean healthy(InstanceState state) {
		if (state.checkFailure() == null) {
			return false;
		}
		state.checked(null);
		if (recovered(state)) {
			return true;
		}
		logger.info("The health check of instance %2$s of upstream '%1$s' succeeds again".formatted(this.name,
				state.instance().authority()));
		return false;
	}

}
