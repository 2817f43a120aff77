package io.gatewaybench.upstream;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Gives each key an instance of its own. Every instance has a score for a key, and the
 * highest one wins (rendezvous hashing). So an instance that goes moves only its own
 * keys, each to its second best instance, and the keys come back with it. Weights are
 * exact, and there is no ring to build anew. The same key leads to the same instance in
 * all JVMs.
 * <p>
 * An instance with too many requests is passed over (bounded loads).
 *
 * @see <a href="https://www.eecs.umich.edu/techreports/cse/96/CSE-TR-316-96.pdf">D.
 * Thaler, C. Ravishankar: A Name-Based Mapping Scheme for Rendezvous</a>
 * @see <a href="https://arxiv.org/abs/1608.01350">V. Mirrokni, M. Thorup, M.
 * Zadimoghaddam: Consistent Hashing with Bounded Loads</a>
 */
final class ConsistentHash {

	private static final long FNV_OFFSET = 0xcbf29ce484222325L;

	private static final long FNV_PRIME = 0x100000001b3L;

	/**
	 * What an instance may always have. A browser sends six requests at once over
	 * HTTP/1.1, and one that was just answered may still count. The mean of few requests
	 * is so low that these would be torn apart.
	 */
	private static final int FEW = 8;

	private static final double UNIT = 0x1.0p-53;

	private ConsistentHash() {
	}

	/**
	 * FNV-1a over the characters, then the finalizer of MurmurHash3. FNV alone leaves the
	 * upper bits of short keys nearly equal.
	 */
	static long hash(String key) {
		long hash = FNV_OFFSET;
		for (int i = 0; i < key.length(); i++) {
			hash = (hash ^ key.charAt(i)) * FNV_PRIME;
		}
		return mix(hash);
	}

	private static long mix(long hash) {
		long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
		return mixed ^ (mixed >>> 33);
	}

	/**
	 * The instance of a key.
	 * @param instances at least one
	 * @param factor how many times the mean of the requests in flight an instance may
	 * have, by its weight; 0 for any number. It may always have {@value #FEW}
	 */
	static InstanceState choose(List<InstanceState> instances, String key, double factor) {
		long hash = hash(key);
		long requests = 1;
		long weights = 0;
		for (InstanceState state : instances) {
			requests += state.requests();
			weights += state.weight();
		}
		InstanceState best = (factor > 0) ? best(instances, hash, factor * requests / weights) : null;
		// Other threads may have filled the last one meanwhile
		return (best != null) ? best : Objects.requireNonNull(best(instances, hash, Double.POSITIVE_INFINITY));
	}

	private static @Nullable InstanceState best(List<InstanceState> instances, long hash, double share) {
		InstanceState best = null;
		double highest = 0;
		for (InstanceState state : instances) {
			// Math may differ in the last bit between JVMs
			double score = -state.weight() / StrictMath.log(((mix(hash ^ state.hash()) >>> 11) + 0.5) * UNIT);
			if (score > highest && state.requests() < Math.max(FEW, Math.ceil(share * state.weight()))) {
				highest = score;
				best = state;
			}
		}
		return best;
	}

}
