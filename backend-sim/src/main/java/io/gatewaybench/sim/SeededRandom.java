package io.gatewaybench.sim;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014) on an atomic state: several event loops draw from one reproducible
 * sequence, without a lock.
 */
final class SeededRandom implements RandomGenerator {

	private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

	private final long start;

	private final AtomicLong state;

	SeededRandom(long start) {
		this.start = start;
		this.state = new AtomicLong(mix(start));
	}

	/**
	 * Returns a generator for one user of a seed, so that two users with the same seed
	 * don't run in step.
	 * @param seed the configured seed
	 * @param user name of the user
	 */
	static SeededRandom of(long seed, String user) {
		return new SeededRandom(seed + GOLDEN_GAMMA * user.hashCode());
	}

	/**
	 * Starts again, as if the configured seed were larger.
	 * @param more what is added to the seed, 0 to draw the same once more
	 */
	void restart(long more) {
		this.state.set(mix(this.start + more));
	}

	@Override
	public long nextLong() {
		return mix(this.state.addAndGet(GOLDEN_GAMMA));
	}

	private static long mix(long value) {
		long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
		return mixed ^ (mixed >>> 31);
	}

}
