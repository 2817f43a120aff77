package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Which instances take requests at a moment, in which order, and which are ejected.
 * Immutable, so that a change is one swap.
 */
final class Rotation {

	private final List<InstanceState> active;

	private final List<InstanceState> ejected;

	private final List<InstanceState> schedule;

	private Rotation(List<InstanceState> active, List<InstanceState> ejected) {
		this.active = List.copyOf(active);
		this.ejected = List.copyOf(ejected);
		this.schedule = schedule(this.active);
	}

	static Rotation of(Map<Instance, Integer> weights) {
		List<InstanceState> instances = new ArrayList<>();
		weights.forEach((instance, weight) -> instances.add(new InstanceState(instance, weight)));
		return new Rotation(instances, List.of());
	}

	/**
	 * The same order in which nginx takes weighted servers: each turn, every instance
	 * gains its weight, and the one with the most takes the request and loses what all
	 * have gained. So turns of a heavy instance are spread out.
	 *
	 * @see <a href=
	 * "https://github.com/nginx/nginx/commit/52327e0627f49dbda1e8db695e63a4b0af4448b1">smooth
	 * weighted round-robin balancing</a>
	 */
	private static List<InstanceState> schedule(List<InstanceState> instances) {
		int[] weights = instances.stream().mapToInt(InstanceState::weight).toArray();
		int divisor = 0;
		int total = 0;
		for (int weight : weights) {
			divisor = greatestCommonDivisor(weight, divisor);
			total += weight;
		}
		if (total == 0) {
			return List.of();
		}
		int[] gained = new int[weights.length];
		InstanceState[] schedule = new InstanceState[total / divisor];
		for (int turn = 0; turn < schedule.length; turn++) {
			int most = 0;
			for (int i = 0; i < weights.length; i++) {
				gained[i] += weights[i];
				most = (gained[i] > gained[most]) ? i : most;
			}
			gained[most] -= total;
			schedule[turn] = instances.get(most);
		}
		return List.of(schedule);
	}

	private static int greatestCommonDivisor(int a, int b) {
		return (b == 0) ? a : greatestCommonDivisor(b, a % b);
	}

	InstanceState at(long turn) {
		// Unsigned, so that the order goes on unbroken where the sign changes; to zero it
		// wraps after centuries at a billion requests per second
		return this.schedule.get((int) Long.remainderUnsigned(turn, this.schedule.size()));
	}

	InstanceState choose(InstanceChooser chooser, InstanceChooser.Request request) {
		return this.schedule.get(chooser.choose(this.schedule, request));
	}

	/**
	 * The instances that take requests, each once.
	 */
	List<InstanceState> active() {
		return this.active;
	}

	/**
	 * The rotation without the instances that have been tried, which may be empty.
	 */
	Rotation untried(List<InstanceState> tried) {
		return new Rotation(this.active.stream().filter((state) -> !tried.contains(state)).toList(), this.ejected);
	}

	long share(int largest) {
		int total = 0;
		int most = 1;
		for (InstanceState state : this.active) {
			total += state.weight();
			most = Math.max(most, state.weight());
		}
		return (long) largest * total / most;
	}

	boolean isEmpty() {
		return this.schedule.isEmpty();
	}

	boolean isWhole() {
		return this.ejected.isEmpty();
	}

	List<InstanceState> instances() {
		List<InstanceState> instances = new ArrayList<>(this.active);
		instances.addAll(this.ejected);
		return instances;
	}

	List<InstanceState> ejected() {
		return this.ejected;
	}

	List<InstanceStatus> status() {
		return Stream
			.concat(this.active.stream().map((state) -> state.status(false)),
					this.ejected.stream().map((state) -> state.status(true)))
			.sorted(Comparator.comparing(InstanceStatus::instance))
			.toList();
	}

	@Nullable InstanceState find(Instance instance) {
		return instances().stream().filter((state) -> state.instance().equals(instance)).findFirst().orElse(null);
	}

	/**
	 * An instance that has not been tried yet, rather one that takes requests.
	 * @param ejected whether it may be one that does not
	 */
	@Nullable InstanceState except(List<InstanceState> tried, long turn, boolean ejected) {
		for (int i = 0; i < this.schedule.size(); i++) {
			InstanceState state = at(turn + i);
			if (!tried.contains(state)) {
				return state;
			}
		}
		if (!ejected) {
			return null;
		}
		return this.ejected.stream()
			.filter((state) -> !state.isOutOfService() && !tried.contains(state))
			.findFirst()
			.orElse(null);
	}

	/**
	 * The rotation without an instance, or this one if that is not in it, or is the last.
	 */
	Rotation eject(InstanceState state) {
		return (this.active.size() > 1 && this.active.contains(state))
				? new Rotation(without(this.active, state), with(this.ejected, state)) : this;
	}

	/**
	 * The rotation with an instance that was ejected, or this one if it was not.
	 */
	Rotation recover(InstanceState state) {
		return this.ejected.contains(state) ? new Rotation(with(this.active, state), without(this.ejected, state))
				: this;
	}

	/**
	 * The rotation over other instances; those that stay keep what happened to them. What
	 * an operator took out takes requests only if there is nothing else.
	 */
	Rotation replace(Map<Instance, Integer> weights) {
		List<InstanceState> newActive = new ArrayList<>();
		List<InstanceState> newEjected = new ArrayList<>();
		weights.forEach((instance, weight) -> {
			InstanceState known = find(instance);
			InstanceState state = (known != null) ? known.weight(weight) : new InstanceState(instance, weight);
			(this.ejected.contains(state) || state.isOutOfService() ? newEjected : newActive).add(state);
		});
		if (newActive.isEmpty()) {
			newEjected.stream().filter((state) -> !state.isOutOfService()).forEach(newActive::add);
			if (newActive.isEmpty()) {
				newActive.add(newEjected.get(0));
			}
			newEjected.removeAll(newActive);
		}
		return new Rotation(newActive, newEjected);
	}

	private static List<InstanceState> with(List<InstanceState> instances, InstanceState state) {
		List<InstanceState> result = new ArrayList<>(instances);
		result.add(state);
		return result;
	}

	private static List<InstanceState> without(List<InstanceState> instances, InstanceState state) {
		return instances.stream().filter((other) -> other != state).toList();
	}

}
