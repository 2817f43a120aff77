package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which instances take requests at a moment, in which order, and which are ejected.
 * Immutable, so that a change is one swap.
 */
final class Rotation {

	private static final Peer[] NO_PEERS = {};

	private final List<Peer> active;

	private final List<Peer> ejected;

	private final Peer[] schedule;

	private Rotation(List<Peer> active, List<Peer> ejected) {
		this.active = List.copyOf(active);
		this.ejected = List.copyOf(ejected);
		this.schedule = schedule(this.active);
	}

	static Rotation of(Map<Instance, Integer> weights) {
		List<Peer> peers = new ArrayList<>();
		weights.forEach((instance, weight) -> peers.add(new Peer(instance, weight)));
		return new Rotation(peers, List.of());
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
	private static Peer[] schedule(List<Peer> peers) {
		int[] weights = peers.stream().mapToInt(Peer::weight).toArray();
		int divisor = 0;
		int total = 0;
		for (int weight : weights) {
			divisor = greatestCommonDivisor(weight, divisor);
			total += weight;
		}
		if (total == 0) {
			return NO_PEERS;
		}
		int[] gained = new int[weights.length];
		Peer[] schedule = new Peer[total / divisor];
		for (int turn = 0; turn < schedule.length; turn++) {
			int most = 0;
			for (int i = 0; i < weights.length; i++) {
				gained[i] += weights[i];
				most = (gained[i] > gained[most]) ? i : most;
			}
			gained[most] -= total;
			schedule[turn] = peers.get(most);
		}
		return schedule;
	}

	private static int greatestCommonDivisor(int a, int b) {
		return (b == 0) ? a : greatestCommonDivisor(b, a % b);
	}

	Peer at(long turn) {
		// Unsigned, so that the order goes on unbroken where the sign changes; to zero it
		// wraps after centuries at a billion requests per second
		return this.schedule[(int) Long.remainderUnsigned(turn, this.schedule.length)];
	}

	boolean isWhole() {
		return this.ejected.isEmpty();
	}

	List<Peer> peers() {
		List<Peer> peers = new ArrayList<>(this.active);
		peers.addAll(this.ejected);
		return peers;
	}

	List<Peer> ejected() {
		return this.ejected;
	}

	/**
	 * An instance that has not been tried yet, rather one that takes requests.
	 */
	@Nullable Peer except(List<Peer> tried, long turn) {
		for (int i = 0; i < this.schedule.length; i++) {
			Peer peer = at(turn + i);
			if (!tried.contains(peer)) {
				return peer;
			}
		}
		return this.ejected.stream().filter((peer) -> !tried.contains(peer)).findFirst().orElse(null);
	}

	/**
	 * The rotation without an instance, or this one if that is not in it, or is the last.
	 */
	Rotation eject(Peer peer) {
		return (this.active.size() > 1 && this.active.contains(peer))
				? new Rotation(without(this.active, peer), with(this.ejected, peer)) : this;
	}

	/**
	 * The rotation with an instance that was ejected, or this one if it was not.
	 */
	Rotation recover(Peer peer) {
		return this.ejected.contains(peer) ? new Rotation(with(this.active, peer), without(this.ejected, peer)) : this;
	}

	/**
	 * The rotation over other instances; those that stay keep what happened to them.
	 */
	Rotation replace(Map<Instance, Integer> weights) {
		List<Peer> newActive = new ArrayList<>();
		List<Peer> newEjected = new ArrayList<>();
		weights.forEach((instance, weight) -> {
			Peer out = find(this.ejected, instance);
			Peer in = find(this.active, instance);
			if (out != null) {
				newEjected.add(out.weight(weight));
			}
			else {
				newActive.add((in != null) ? in.weight(weight) : new Peer(instance, weight));
			}
		});
		return newActive.isEmpty() ? new Rotation(newEjected, List.of()) : new Rotation(newActive, newEjected);
	}

	private static @Nullable Peer find(List<Peer> peers, Instance instance) {
		return peers.stream().filter((peer) -> peer.instance().equals(instance)).findFirst().orElse(null);
	}

	private static List<Peer> with(List<Peer> peers, Peer peer) {
		List<Peer> result = new ArrayList<>(peers);
		result.add(peer);
		return result;
	}

	private static List<Peer> without(List<Peer> peers, Peer peer) {
		return peers.stream().filter((other) -> other != peer).toList();
	}

}
