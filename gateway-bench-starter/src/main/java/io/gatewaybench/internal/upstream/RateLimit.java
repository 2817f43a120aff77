package io.gatewaybench.internal.upstream;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Limits how many requests each client sends, by the generic cell rate algorithm. All
 * that is known of a client is the hash of its name, and the time at which it has made up
 * for its requests. Once that time has come, nothing need be known.
 * <p>
 * There is room for {@value #CLIENTS} clients, from the start. The hash gives a client
 * its set of {@value #CLIENTS_PER_SET}. In a full set, a new client takes the place of
 * the one that is nearest to having made up, which then counts as a new one, too. So
 * nobody is refused for what others send, and those that send most are remembered
 * longest.
 */
public final class RateLimit {

	static final int CLIENTS = 65_536;

	static final int CLIENTS_PER_SET = 8;

	private final long interval;

	private final long tolerance;

	private final LongSupplier clock;

	private final KeyedHash hash = new KeyedHash();

	/** Hash and time of each client of a set, one after the other. */
	private final long[][] sets = new long[CLIENTS / CLIENTS_PER_SET][2 * CLIENTS_PER_SET];

	private final LongAdder refused = new LongAdder();

	/**
	 * Create the limit.
	 * @param requestsPerSecond the rate of each client
	 * @param burst how many requests a client may send at once, at least one
	 */
	public RateLimit(double requestsPerSecond, int burst) {
		this(requestsPerSecond, burst, System::nanoTime);
	}

	RateLimit(double requestsPerSecond, int burst, LongSupplier clock) {
		this.interval = (long) (TimeUnit.SECONDS.toNanos(1) / requestsPerSecond);
		this.tolerance = (burst - 1) * this.interval;
		this.clock = clock;
		long now = clock.getAsLong();
		for (long[] set : this.sets) {
			Arrays.fill(set, now);
		}
	}

	/**
	 * Count a request of a client. One that is refused does not count.
	 * @param client the name of the client, which is not kept
	 * @return 0 if it may pass, else the number of seconds after which it might
	 */
	public long admit(String client) {
		long key = this.hash.of(client);
		long now = this.clock.getAsLong();
		long[] set = this.sets[(int) key & (this.sets.length - 1)];
		long early;
		// A name and its time change together
		synchronized (set) {
			int place = place(set, key);
			long time = (set[place] == key && set[place + 1] - now > 0) ? set[place + 1] : now;
			early = time - now - this.tolerance;
			if (early <= 0) {
				set[place] = key;
				set[place + 1] = time + this.interval;
				return 0;
			}
		}
		this.refused.increment();
		return 1 + TimeUnit.NANOSECONDS.toSeconds(early - 1);
	}

	private static int place(long[] set, long key) {
		int soonest = 0;
		for (int i = 0; i < set.length; i += 2) {
			if (set[i] == key) {
				return i;
			}
			if (set[i + 1] - set[soonest + 1] < 0) {
				soonest = i;
			}
		}
		return soonest;
	}

	/**
	 * {@return how many requests have been refused}
	 */
	public long refused() {
		return this.refused.sum();
	}

}
